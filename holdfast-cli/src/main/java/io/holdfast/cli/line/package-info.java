/** The command line: what a command understands, what was given, and what help, manual and completion say of it. */
@NullMarked
package io.holdfast.cli.line;

import org.jspecify.annotations.NullMarked;
