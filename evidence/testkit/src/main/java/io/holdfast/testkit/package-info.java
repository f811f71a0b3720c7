/** Helpers for tests, beside the fault injection and the contracts in the packages below. */
@NullMarked
package io.holdfast.testkit;

import org.jspecify.annotations.NullMarked;
