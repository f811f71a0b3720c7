/** The lock of a run: which one it is, how it is held, and what is recorded beside it. */
@NullMarked
package io.holdfast.cli.lock;

import org.jspecify.annotations.NullMarked;
