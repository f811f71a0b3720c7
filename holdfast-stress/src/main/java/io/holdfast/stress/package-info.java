/** Many threads that use the library in every way at once, and what must hold while they do. */
@NullMarked
package io.holdfast.stress;

import org.jspecify.annotations.NullMarked;
