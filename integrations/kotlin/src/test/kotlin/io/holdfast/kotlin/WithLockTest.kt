package io.holdfast.kotlin

import io.holdfast.Holdfast
import io.holdfast.Lease
import io.holdfast.LeaseLostException
import io.holdfast.LockOptions
import io.holdfast.LockTimeoutException
import io.holdfast.lease.FencingToken
import io.holdfast.lease.LeaseState
import io.holdfast.locks.MultiLock
import io.holdfast.node.memory.InMemoryNode
import io.holdfast.servers.Eventually.eventually
import io.holdfast.test.HoldfastExtension
import io.holdfast.test.HoldfastTest
import io.holdfast.time.Moment
import io.holdfast.time.Time
import io.holdfast.time.VirtualTime
import java.io.IOException
import java.time.Duration
import java.util.Random
import kotlinx.coroutines.CompletableDeferred
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.async
import kotlinx.coroutines.awaitCancellation
import kotlinx.coroutines.cancelAndJoin
import kotlinx.coroutines.launch
import kotlinx.coroutines.runBlocking
import kotlinx.coroutines.withContext
import kotlinx.coroutines.yield
import org.assertj.core.api.Assertions.assertThat
import org.assertj.core.api.Assertions.assertThatThrownBy
import org.junit.jupiter.api.Test

/** Tests each way in which a block under a lock ends, in memory. */
@HoldfastTest
class WithLockTest(private val holdfast: Holdfast, private val locks: HoldfastExtension) {

    private val lock = holdfast.lock("order:42")

    private fun isHeld() = locks.isHeld("order:42")

    @Test
    fun withLock_blockReturns_holdsTheLockUntilThen() {
        val held = runBlocking {
            lock.withLock { lease -> listOf(lease.isValid, withContext(Dispatchers.Default) { isHeld() }) }
        }

        assertThat(held).containsExactly(true, true)
        assertThat(isHeld()).isFalse()
    }

    /** The example of docs/kotlin.md, word for word. */
    @Test
    fun withLock_documentedExample_ships() {
        val orders = Orders()

        runBlocking {
            holdfast.lock("order:42").withLock { lease -> orders.ship(42, lease.fencingToken()) }
        }

        assertThat(orders.shipped).containsExactly(42)
    }

    private class Orders {
        val shipped = mutableListOf<Int>()

        suspend fun ship(order: Int, token: FencingToken) {
            yield()
            assertThat(token.value()).isPositive()
            shipped += order
        }
    }

    @Test
    fun withLock_blockThrows_releasesAndKeepsTheFailure() {
        assertThatThrownBy { runBlocking { lock.withLock<_, Unit> { throw IOException("no disk") } } }
            .isInstanceOf(IOException::class.java)
        assertThat(isHeld()).isFalse()
    }

    /**
     * The process is stopped at each reading of the clock in turn: a lease that was lost then is not taken for a
     * released one.
     */
    @Test
    fun withLock_stoppedBesideItsEnd_throwsIfTheLeaseIsLost() {
        for (reading in 1..8) {
            val time = StoppingTime()
            val stopped = Holdfast.forTesting(listOf(InMemoryNode("a", time)), time, Random(7))
            val leases = mutableListOf<Lease>()
            val thrown = runBlocking {
                val run = async {
                    runCatching {
                        stopped.lock("order:42").withLock { lease ->
                            leases += lease
                            time.left = reading
                        }
                    }
                }
                while (!run.isCompleted) {
                    time.virtual.settle()
                    yield()
                }
                run.await().exceptionOrNull()
            }

            val lost = leases.single().state() == LeaseState.LOST
            assertThat(thrown == null && lost).`as`("stopped at reading $reading").isFalse()
        }
    }

    /** The time of a process that is stopped for a minute when it reads the clock for the given time. */
    private class StoppingTime(val virtual: VirtualTime = VirtualTime()) : Time by virtual {
        var left = 0

        override fun now(): Moment {
            if (left > 0 && --left == 0) {
                virtual.pause(Duration.ofMinutes(1))
            }
            return virtual.now()
        }
    }

    @Test
    fun withLock_childCoroutines_holdTheLockUntilTheyEnd() {
        var heldByChild = false
        runBlocking {
            lock.withLock {
                launch {
                    repeat(10) { yield() }
                    heldByChild = isHeld()
                }
            }
        }

        assertThat(heldByChild).isTrue()
        assertThat(isHeld()).isFalse()
    }

    @Test
    fun withLock_heldElsewhere_failsAndDoesNotRun() {
        locks.heldElsewhere("order:42")
        val once = holdfast.lock("order:42", LockOptions.builder().waitLimit(Duration.ZERO).build())

        assertThatThrownBy { runBlocking { once.withLock { throw AssertionError("ran") } } }
            .isInstanceOf(LockTimeoutException::class.java)
    }

    @Test
    fun cancel_whileItWaits_endsTheWait() {
        val other = locks.heldElsewhere("order:42")
        runBlocking {
            val waiting = launch(Dispatchers.Default) { lock.withLock { throw AssertionError("ran") } }
            yield()
            waiting.cancelAndJoin()
        }
        other.close()

        // The release above may grant the lock to the cancelled waiter, which releases it at once.
        eventually("the lock is free") { !isHeld() }
    }

    @Test
    fun cancel_whileItRuns_releasesBeforeTheJobEnds() {
        runBlocking {
            val begun = CompletableDeferred<Unit>()
            val running = launch {
                lock.withLock {
                    begun.complete(Unit)
                    awaitCancellation()
                }
            }
            begun.await()

            running.cancelAndJoin()
        }

        assertThat(isHeld()).isFalse()
    }

    /** A child that is cancelled before it begins never runs. */
    @Test
    fun lost_whileItRuns_cancelsTheScopeAndFails() {
        val begun = CompletableDeferred<Unit>()
        val childEnded = CompletableDeferred<Unit>()
        runBlocking {
            val result = async(Dispatchers.Default) {
                runCatching {
                    lock.withLock<_, Unit> {
                        launch {
                            try {
                                begun.complete(Unit)
                                awaitCancellation()
                            } finally {
                                childEnded.complete(Unit)
                            }
                        }
                        awaitCancellation()
                    }
                }
            }
            begun.await()

            locks.takeAway("order:42")

            assertThat(result.await().exceptionOrNull()).isInstanceOf(LeaseLostException::class.java)
            childEnded.await()
        }
    }

    /** On one thread, the child begins only after the block has returned. */
    @Test
    fun lost_onlyAChildStillRuns_cancelsTheChildAndFails() {
        val childRuns = CompletableDeferred<Unit>()
        runBlocking {
            val result = async {
                runCatching {
                    lock.withLock {
                        launch {
                            childRuns.complete(Unit)
                            awaitCancellation()
                        }
                    }
                }
            }
            childRuns.await()

            locks.takeAway("order:42")

            assertThat(result.await().exceptionOrNull()).isInstanceOf(LeaseLostException::class.java)
        }
    }

    /** The block returns without noticing that its lease is lost. */
    @Test
    fun lost_blockReturns_fails() {
        assertThatThrownBy {
                runBlocking {
                    lock.withLock { lease ->
                        lease.limit(Duration.ZERO)
                        "done"
                    }
                }
            }
            .isInstanceOf(LeaseLostException::class.java)
    }

    /** The release is the first to learn that the nodes do not hold the lock any more. */
    @Test
    fun lost_onlyOnTheNodes_fails() {
        assertThatThrownBy {
                runBlocking {
                    lock.withLock { lease -> holdfast.attach(lease.handle(), LockOptions.DEFAULT).release() }
                }
            }
            .isInstanceOf(LeaseLostException::class.java)
            .hasMessageContaining("before its release")
    }

    @Test
    fun withLock_blockReleasesTheLeaseItself_returns() {
        val result = runBlocking {
            lock.withLock { lease ->
                lease.close()
                "done"
            }
        }

        assertThat(result).isEqualTo("done")
        eventually("the lock is free") { !isHeld() }
    }

    @Test
    fun withLock_setOfLocks_holdsAllOfThem() {
        val set = MultiLock.of(holdfast, listOf("order:42", "order:43"))

        val held = runBlocking { set.withLock { leases -> leases.all().map { it.isValid && isHeld() } } }

        assertThat(held).containsExactly(true, true)
        assertThat(isHeld()).isFalse()
    }
}
