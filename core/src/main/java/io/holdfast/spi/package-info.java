/** Parts of a lock, for adapters to other libraries and for locks that are built of locks. */
@NullMarked
package io.holdfast.spi;

import org.jspecify.annotations.NullMarked;
