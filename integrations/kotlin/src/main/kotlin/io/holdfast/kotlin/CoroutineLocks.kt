/** Locks that a coroutine holds. */
@file:JvmName("CoroutineLocks")

package io.holdfast.kotlin

import io.holdfast.Acquirable
import io.holdfast.Held
import io.holdfast.LeaseLostException
import io.holdfast.event.Registration
import java.util.concurrent.CompletableFuture
import kotlinx.coroutines.CancellationException
import kotlinx.coroutines.CoroutineScope
import kotlinx.coroutines.NonCancellable
import kotlinx.coroutines.cancel
import kotlinx.coroutines.coroutineScope
import kotlinx.coroutines.currentCoroutineContext
import kotlinx.coroutines.ensureActive
import kotlinx.coroutines.future.await
import kotlinx.coroutines.withContext

/**
 * Acquires the lock with its options, runs the block in a scope of its own, and releases the lock when the block and
 * its child coroutines have ended; likewise a permit, a set of locks, or the lock of an owner. Suspends instead of
 * blocking a thread, and the lease belongs to no thread.
 *
 * ```
 * holdfast.lock("order:42").withLock { lease -> orders.ship(42, lease.fencingToken()) }
 * ```
 *
 * The caller may be cancelled at any moment, also while a grant is on its way: no lock is left behind. The release of a
 * lock that was held has been answered by a majority, or the node timeout is over, when this function returns or
 * throws. A grant that arrives after a cancelled wait is released at once, in the background.
 *
 * If the lease is lost, the scope of the block is cancelled at once. A block that does not suspend continues until it
 * checks whether it is active.
 *
 * @return the result of the block
 * @throws LeaseLostException if the lease was lost while the block ran
 * @throws io.holdfast.LockTimeoutException if another holder had the lock until the wait limit was over; the block did
 *     not run
 * @throws io.holdfast.QuorumUnreachableException if too few nodes answered until the limit was over; the block did not
 *     run
 * @throws IllegalStateException if the `Holdfast` is closed; the block did not run
 */
public suspend fun <H : Held, T> Acquirable<H>.withLock(block: suspend CoroutineScope.(H) -> T): T {
    val acquisition = acquireAsync()
    try {
        return holding(acquisition.await(), block)
    } finally {
        // A cancelled `await` may drop a lease that has arrived, so only the future knows whether there is one.
        withContext(NonCancellable) { abandon(acquisition) }
    }
}

private suspend fun abandon(acquisition: CompletableFuture<out Held>) {
    if (!acquisition.cancel(true) && !acquisition.isCompletedExceptionally) {
        acquisition.await().releaseAsync().await()
    }
}

private suspend fun <H : Held, T> holding(held: H, block: suspend CoroutineScope.(H) -> T): T {
    try {
        val result = cancelledIfLost(held, block)
        withContext(NonCancellable) { held.finishAsync().await() }
        return result
    } catch (cancellation: CancellationException) {
        currentCoroutineContext().ensureActive()
        // Fails if a loss is the reason of the cancellation.
        if (!held.isValid) held.finishAsync().await()
        throw cancellation
    }
}

/** Keeps the callback until the scope returns, because the children may run for longer than the block. */
private suspend fun <H : Held, T> cancelledIfLost(held: H, block: suspend CoroutineScope.(H) -> T): T {
    var registration: Registration? = null
    try {
        return coroutineScope {
            registration = held.onLost { loss -> cancel("The lock '${loss.resource()}' was lost: $loss") }
            block(held)
        }
    } finally {
        registration?.close()
    }
}
