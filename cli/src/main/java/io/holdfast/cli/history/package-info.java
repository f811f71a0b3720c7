/** The past runs under a lock, as the servers store them. */
@NullMarked
package io.holdfast.cli.history;

import org.jspecify.annotations.NullMarked;
