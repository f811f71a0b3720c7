/**
 * The clocks and timers that the library uses. {@link io.holdfast.time.SystemTime} is the time of this machine; {@link
 * io.holdfast.time.VirtualTime} moves only when a test advances it. Outside of this package, no class of this module
 * reads a clock or starts a thread.
 */
@NullMarked
package io.holdfast.time;

import org.jspecify.annotations.NullMarked;
