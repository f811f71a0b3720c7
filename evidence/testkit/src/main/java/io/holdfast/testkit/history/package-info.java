/** Histories of a lock and of the register that it guards, and a checker that judges them. */
@NullMarked
package io.holdfast.testkit.history;

import org.jspecify.annotations.NullMarked;
