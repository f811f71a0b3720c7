/** Events of locks, for metrics; see {@code Holdfast.onEvent}. */
@NullMarked
package io.holdfast.event;

import org.jspecify.annotations.NullMarked;
