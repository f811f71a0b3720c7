/** The command {@code console}: a page that shows the locks, and its demonstration. */
@NullMarked
package io.holdfast.cli.console;

import org.jspecify.annotations.NullMarked;
