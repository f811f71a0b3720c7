/** Locks that a coroutine holds. */
@file:JvmName("CoroutineLocks")

package io.holdfast.kotlin

import io.holdfast.DistributedLock
import io.holdfast.Lease
import io.holdfast.LeaseLostException
import io.holdfast.event.Registration
import io.holdfast.lease.LeaseState
import io.holdfast.lease.ReleaseOutcome
import java.time.Duration
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
 * Acquires the lock with its options, runs the block in a scope of its own, and releases the lock when the block and its
 * child coroutines have ended. Suspends instead of blocking a thread, and the lease belongs to no thread.
 *
 * ```
 * holdfast.lock("order:42").withLock { lease -> orders.ship(42, lease.fencingToken()) }
 * ```
 *
 * The caller may be cancelled at any moment, also while a grant is on its way: no lock is left behind. The release of a
 * lock that was held has been answered by a majority, or the node timeout is over, when this function returns or throws.
 * A grant that arrives after a cancelled wait is released at once, in the background.
 *
 * If the lease is lost, the scope of the block is cancelled at once. A block that does not suspend continues until it
 * checks whether it is active.
 *
 * @return the result of the block
 * @throws LeaseLostException if the lease was lost while the block ran
 * @throws io.holdfast.LockTimeoutException if another holder had the lock until the wait limit was over; the block did not run
 * @throws io.holdfast.QuorumUnreachableException if too few nodes answered until the limit was over; the block did not run
 * @throws IllegalStateException if the `Holdfast` is closed; the block did not run
 */
public suspend fun <T> DistributedLock.withLock(block: suspend CoroutineScope.(Lease) -> T): T {
    val acquisition = acquireAsync()
    try {
        return holding(acquisition.await(), block)
    } finally {
        // A cancelled `await` may drop a lease that has arrived, so only the future knows whether there is one.
        withContext(NonCancellable) { abandon(acquisition) }
    }
}

private suspend fun abandon(acquisition: CompletableFuture<Lease>) {
    if (!acquisition.cancel(true) && !acquisition.isCompletedExceptionally) {
        acquisition.await().releaseAsync().await()
    }
}

private suspend fun <T> holding(lease: Lease, block: suspend CoroutineScope.(Lease) -> T): T {
    try {
        val result = cancelledIfLost(lease, block)
        lease.releaseHeld()
        return result
    } catch (cancellation: CancellationException) {
        currentCoroutineContext().ensureActive()
        lease.requireNotLost()
        throw cancellation
    }
}

/** Keeps the callback until the scope returns, because the children may run for longer than the block. */
private suspend fun <T> cancelledIfLost(lease: Lease, block: suspend CoroutineScope.(Lease) -> T): T {
    var registration: Registration? = null
    try {
        return coroutineScope {
            registration = lease.onLost { loss -> cancel("The lock '${lease.resource()}' was lost: $loss") }
            block(lease)
        }
    } finally {
        registration?.close()
    }
}

/** Releases the lease, unless the block has; throws if it was lost, or if the nodes did not hold it any more. */
private suspend fun Lease.releaseHeld() {
    // Before the check: a lease that is lost between the two is lost at its release.
    val held = isValid
    requireNotLost()
    val outcome = withContext(NonCancellable) { releaseAsync().await() }
    if (held && outcome == ReleaseOutcome.NOT_HELD) {
        throw LeaseLostException.atRelease(resource())
    }
}

/** Throws if the lease was lost; one that the block itself has released is fine. */
private fun Lease.requireNotLost() {
    if (state() == LeaseState.LOST) {
        ensureValidFor(Duration.ZERO)
    }
}
