/** The record beside a lock: a short text that one holder leaves on the nodes for the next one. */
@NullMarked
package io.holdfast.record;

import org.jspecify.annotations.NullMarked;
