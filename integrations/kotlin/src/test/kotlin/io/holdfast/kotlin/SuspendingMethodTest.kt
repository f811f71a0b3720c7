package io.holdfast.kotlin

import io.holdfast.Holdfast
import io.holdfast.Lease
import io.holdfast.LockOptions
import io.holdfast.LockTimeoutException
import io.holdfast.servers.Eventually.eventually
import io.holdfast.spring.CurrentLease
import io.holdfast.spring.EnableHoldfastLocks
import io.holdfast.spring.HoldfastLock
import io.holdfast.spring.LockFactory
import io.holdfast.spring.RefusalPolicy
import io.holdfast.spring.proxy.MethodRejectedException
import io.holdfast.test.HoldfastExtension
import io.holdfast.test.HoldfastTest
import java.time.Duration
import java.util.concurrent.atomic.AtomicBoolean
import kotlinx.coroutines.CompletableDeferred
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.NonCancellable
import kotlinx.coroutines.async
import kotlinx.coroutines.awaitCancellation
import kotlinx.coroutines.cancelAndJoin
import kotlinx.coroutines.flow.Flow
import kotlinx.coroutines.flow.emptyFlow
import kotlinx.coroutines.launch
import kotlinx.coroutines.runBlocking
import kotlinx.coroutines.supervisorScope
import kotlinx.coroutines.withContext
import org.assertj.core.api.Assertions.assertThat
import org.assertj.core.api.Assertions.assertThatThrownBy
import org.junit.jupiter.api.AfterEach
import org.junit.jupiter.api.Test
import org.springframework.context.annotation.AnnotationConfigApplicationContext
import org.springframework.context.annotation.Configuration

/** Tests suspending functions with an annotation of holdfast-spring, which Spring calls by way of Reactor. */
@HoldfastTest
class SuspendingMethodTest(private val holdfast: Holdfast, private val locks: HoldfastExtension) {

    private val context = start(Shop::class.java)
    private val shop = context.getBean(Shop::class.java)

    private fun start(bean: Class<*>): AnnotationConfigApplicationContext {
        val started = AnnotationConfigApplicationContext()
        started.beanFactory.registerSingleton("client", holdfast)
        val options = LockOptions.builder().waitLimit(Duration.ofMillis(50)).build()
        started.beanFactory.registerSingleton("locks", LockFactory(holdfast, "") { options })
        started.register(Enabled::class.java, bean)
        started.refresh()
        return started
    }

    @AfterEach
    fun stop() {
        context.close()
    }

    @Configuration(proxyBeanMethods = false)
    @EnableHoldfastLocks
    open class Enabled

    /** The annotated functions of these tests. */
    open class Shop {

        @HoldfastLock("order:#{#id}")
        open suspend fun <T> ship(id: Int, block: suspend () -> T): T = block()

        @HoldfastLock(value = "order:#{#id}", onHeld = RefusalPolicy.SKIP)
        open suspend fun skipped(id: Int): String? = "ran"

        @HoldfastLock("order:#{{#first, #second}}")
        open suspend fun both(first: Int, second: Int): List<String> =
            withContext(Dispatchers.Default) {
                listOf(CurrentLease.get(), CurrentLease.of("order:1"), CurrentLease.of("order:2")).map(Lease::resource)
            }

        @HoldfastLock(value = "order:#{#id}", condition = "#id > 10")
        open suspend fun large(id: Int): Boolean = CurrentLease.find().isPresent
    }

    private fun isHeld() = locks.isHeld("order:1")

    @Test
    fun call_functionSuspends_holdsTheLockUntilItEnds() {
        val seen = runBlocking {
            shop.ship(1) {
                val before = CurrentLease.get().resource()
                withContext(Dispatchers.Default) { listOf(before, CurrentLease.get().resource(), isHeld()) }
            }
        }

        assertThat(seen).containsExactly("order:1", "order:1", true)
        assertThat(isHeld()).isFalse()
        assertThat(CurrentLease.find()).isEmpty()
    }

    @Test
    fun call_functionFails_releasesTheLock() {
        val failure = IllegalArgumentException("of the function")

        assertThatThrownBy { runBlocking { shop.ship<Unit>(1) { throw failure } } }
            .isInstanceOf(IllegalArgumentException::class.java)
            .hasMessage("of the function")
        assertThat(isHeld()).isFalse()
    }

    @Test
    fun call_heldElsewhere_throwsOrSkips() {
        locks.heldElsewhere("order:1")

        assertThatThrownBy { runBlocking { shop.ship(1) { "never" } } }.isInstanceOf(LockTimeoutException::class.java)
        assertThat(runBlocking { shop.skipped(1) }).isNull()
        assertThat(runBlocking { shop.skipped(2) }).isEqualTo("ran")
    }

    @Test
    fun call_sameLockInside_runsUnderTheOuterLease() {
        val leases = runBlocking {
            shop.ship(1) { listOf(CurrentLease.get(), shop.ship(1) { CurrentLease.get() }) }
        }

        assertThat(leases[1]).isSameAs(leases[0])
        assertThat(isHeld()).isFalse()
    }

    @Test
    fun call_severalLocks_areAllHeld() {
        assertThat(runBlocking { shop.both(2, 1) }).containsExactly("order:2", "order:1", "order:2")
        assertThat(runBlocking { shop.ship(3) { shop.both(2, 1) + CurrentLease.of("order:3").resource() } })
            .endsWith("order:3")
    }

    @Test
    fun call_conditionIsFalse_runsWithoutTheLock() {
        assertThat(runBlocking { listOf(shop.large(10), shop.large(11)) }).containsExactly(false, true)
    }

    /** The caller goes on at once; what the function does in its finally block is still under the lock. */
    @Test
    fun cancel_functionIsRunning_holdsTheLockUntilItHasEnded() {
        val begun = CompletableDeferred<Unit>()
        val ending = CompletableDeferred<Unit>()
        val mayEnd = CompletableDeferred<Unit>()
        runBlocking {
            val call = launch(Dispatchers.Default) {
                shop.ship(1) {
                    try {
                        begun.complete(Unit)
                        awaitCancellation()
                    } finally {
                        withContext(NonCancellable) {
                            ending.complete(Unit)
                            mayEnd.await()
                        }
                    }
                }
            }
            begun.await()
            call.cancelAndJoin()
            ending.await()
            assertThat(isHeld()).isTrue()
            mayEnd.complete(Unit)
        }

        eventually("the lock is released") { !isHeld() }
    }

    @Test
    fun cancel_functionWaitsForTheLock_doesNotRunIt() {
        val held = locks.heldElsewhere("order:1")
        val ran = AtomicBoolean()
        runBlocking {
            supervisorScope {
                val call = async(Dispatchers.Default) { shop.ship(1) { ran.set(true) } }
                call.cancelAndJoin()
            }
        }
        held.close()

        assertThat(ran).isFalse()
        eventually("the lock is released") { !isHeld() }
        assertThat(runBlocking { shop.ship(1) { "ran" } }).isEqualTo("ran")
    }

    open class WithFlow {
        @HoldfastLock("x") open suspend fun method(): Flow<String> = emptyFlow()
    }

    open class WithFallback {
        @HoldfastLock(value = "x", fallback = "other") open suspend fun method() {}

        open suspend fun other() {}
    }

    @Test
    fun start_functionThatCannotWork_isRejected() {
        listOf(WithFlow::class.java, WithFallback::class.java).forEach { bean ->
            assertThatThrownBy { start(bean).close() }.satisfies({ failure ->
                assertThat(generateSequence(failure) { it.cause }.last())
                    .isInstanceOf(MethodRejectedException::class.java)
                    .hasMessageContaining(bean.simpleName + ".method")
            })
        }
    }
}
