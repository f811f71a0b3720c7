/** Locks in reactive chains: {@link io.holdfast.reactor.ReactorLocks}. */
@NullMarked
package io.holdfast.reactor;

import org.jspecify.annotations.NullMarked;
