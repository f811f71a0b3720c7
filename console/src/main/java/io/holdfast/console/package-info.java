/** The console: a page and an HTTP API that show locks, waiters, jobs and nodes while they change. */
@NullMarked
package io.holdfast.console;

import org.jspecify.annotations.NullMarked;
