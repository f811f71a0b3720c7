/** The commands of the command line, one class each. */
@NullMarked
package io.holdfast.cli.command;

import org.jspecify.annotations.NullMarked;
