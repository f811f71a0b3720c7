/**
 * The contracts that every implementation of a port is tested against. Requires JUnit and AssertJ on the class path.
 */
@NullMarked
package io.holdfast.testkit.contract;

import org.jspecify.annotations.NullMarked;
