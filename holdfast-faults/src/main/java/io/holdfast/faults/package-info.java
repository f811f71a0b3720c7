/** Client processes contend on real servers that fail by a seed, and an independent witness says who was inside. */
@NullMarked
package io.holdfast.faults;

import org.jspecify.annotations.NullMarked;
