/** Checks of the build: the language of sources and documents, and that the names in documents exist. */
@NullMarked
package io.holdfast.checks;

import org.jspecify.annotations.NullMarked;
