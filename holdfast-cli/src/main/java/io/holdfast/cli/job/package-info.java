/** What an administrator does with the past runs under a lock, beyond reading them. */
@NullMarked
package io.holdfast.cli.job;

import org.jspecify.annotations.NullMarked;
