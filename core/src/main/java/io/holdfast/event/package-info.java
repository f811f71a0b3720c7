/** Events of locks and nodes, for metrics and health checks; see {@code Holdfast.onEvent}. */
@NullMarked
package io.holdfast.event;

import org.jspecify.annotations.NullMarked;
