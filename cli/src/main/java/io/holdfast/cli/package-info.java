/** The entry point of the {@code holdfast} command. */
@NullMarked
package io.holdfast.cli;

import org.jspecify.annotations.NullMarked;
