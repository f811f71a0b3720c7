/** Corrections that an administrator makes to the past runs under a lock. */
@NullMarked
package io.holdfast.cli.job;

import org.jspecify.annotations.NullMarked;
