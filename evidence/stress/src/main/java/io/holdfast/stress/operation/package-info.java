/** The operations of the stress program: the uses of the library that run against each other. */
@NullMarked
package io.holdfast.stress.operation;

import org.jspecify.annotations.NullMarked;
