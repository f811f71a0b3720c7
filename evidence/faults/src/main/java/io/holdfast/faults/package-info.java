/** Client processes contend on real servers that fail, and an independent witness observes the holders. */
@NullMarked
package io.holdfast.faults;

import org.jspecify.annotations.NullMarked;
