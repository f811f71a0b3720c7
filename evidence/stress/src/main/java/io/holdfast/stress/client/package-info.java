/** The clients of the stress program, their nodes, and what is inside them. */
@NullMarked
package io.holdfast.stress.client;

import org.jspecify.annotations.NullMarked;
