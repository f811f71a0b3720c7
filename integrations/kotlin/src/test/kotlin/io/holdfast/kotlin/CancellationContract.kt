package io.holdfast.kotlin

import io.holdfast.servers.Eventually.eventually
import io.holdfast.servers.PatientOptions
import io.holdfast.test.HoldfastExtension
import java.util.concurrent.CountDownLatch
import java.util.concurrent.atomic.AtomicInteger
import kotlin.concurrent.thread
import kotlin.random.Random
import kotlin.time.Duration.Companion.microseconds
import kotlinx.coroutines.CoroutineScope
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.SupervisorJob
import kotlinx.coroutines.delay
import kotlinx.coroutines.job
import kotlinx.coroutines.launch
import kotlinx.coroutines.runBlocking
import org.assertj.core.api.Assertions.assertThat
import org.junit.jupiter.api.Tag
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.extension.RegisterExtension

/** Ten thousand coroutines that are cancelled at random moments leave no lock behind. */
abstract class CancellationContract(private val locks: HoldfastExtension) {

    private val granted = AtomicInteger()
    private val coroutines = CoroutineScope(SupervisorJob() + Dispatchers.IO)

    @Test
    fun withLock_tenThousandRandomCancellations_leaveNothingHeld() {
        List(THREADS) { seed -> thread { acquireAndCancel(Random(seed)) } }.forEach(Thread::join)
        runBlocking { coroutines.coroutineContext.job.children.forEach { it.join() } }

        eventually("nothing is held") { NAMES.none { name -> locks.isHeld(name) } }
        assertThat(granted.get()).isBetween(1, THREADS * ROUNDS)
    }

    private fun acquireAndCancel(random: Random) {
        repeat(ROUNDS) {
            val lock = locks.holdfast().lock(NAMES[random.nextInt(NAMES.size)], PatientOptions.LOCK)
            val begun = CountDownLatch(1)
            val work = random.nextInt(LONGEST_MICROS).microseconds
            val job = coroutines.launch {
                lock.withLock {
                    granted.incrementAndGet()
                    begun.countDown()
                    delay(work)
                }
            }
            // A slow machine grants nothing within the time below.
            if (random.nextInt(PATIENT_IS_ONE_IN) == 0) begun.await()
            val until = System.nanoTime() + random.nextInt(LONGEST_MICROS) * 1_000L
            while (System.nanoTime() < until) {
                Thread.onSpinWait()
            }
            job.cancel()
        }
    }

    private companion object {
        const val THREADS = 4
        const val ROUNDS = 2_500
        const val LONGEST_MICROS = 400
        const val PATIENT_IS_ONE_IN = 10
        val NAMES = List(8) { "name:$it" }
    }
}

/** Random cancellations in memory. */
@Tag("slow")
@Tag("evidence")
class InMemoryCancellationTest : CancellationContract(LOCKS) {
    companion object {
        @RegisterExtension @JvmField val LOCKS: HoldfastExtension = HoldfastExtension.inMemory()
    }
}

/** Random cancellations on one server. */
@Tag("server")
@Tag("evidence")
class ServerCancellationTest : CancellationContract(LOCKS) {
    companion object {
        @RegisterExtension @JvmField val LOCKS: HoldfastExtension = HoldfastExtension.onServers(1)
    }
}
