/** The syntax of the command line: definition, parser, and the help, manual page and completion made from it. */
@NullMarked
package io.holdfast.cli.syntax;

import org.jspecify.annotations.NullMarked;
