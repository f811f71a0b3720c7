/** The child process, signals, and the reaction to a lost lock. */
@NullMarked
package io.holdfast.cli.process;

import org.jspecify.annotations.NullMarked;
