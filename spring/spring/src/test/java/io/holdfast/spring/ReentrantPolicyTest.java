package io.holdfast.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.LeaseLostException;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.function.Supplier;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Mono;

/** Tests what the annotation of a re-entrant method adds to that of the method that acquired the lock. */
class ReentrantPolicyTest {

    @AutoClose
    private final Application application = Application.of(Outer.class, Inner.class);

    private final Outer outer = application.bean(Outer.class);
    private final Inner inner = application.bean(Inner.class);

    /** Methods that acquire the lock. */
    static class Outer {

        @HoldfastLock(value = "job", onLost = LossPolicy.LOG)
        public <T> T call(Supplier<T> work) {
            return work.get();
        }

        @HoldfastLock("job")
        public Mono<String> publish(Mono<String> work) {
            return work;
        }

        @HoldfastLock(value = "job", holdAtLeast = "40s")
        public void kept(Runnable work) {
            work.run();
        }
    }

    /** Methods that are called under the lock. */
    static class Inner {

        @HoldfastLock("job")
        public String lose() {
            CurrentLease.get().limit(Duration.ZERO);
            return "done";
        }

        @HoldfastLock(value = "job", onLost = LossPolicy.INTERRUPT)
        public void loseAndWait() throws InterruptedException {
            CurrentLease.get().limit(Duration.ZERO);
            new CountDownLatch(1).await();
        }

        @HoldfastLock(value = "job", holdAtLeast = "20s")
        public String brief() {
            return "done";
        }

        @HoldfastLock(value = "job", holdAtLeast = "20s")
        public Mono<String> briefPublisher() {
            return Mono.just("done");
        }
    }

    @Test
    void onLost_innerThrows_failsTheInnerCall() {
        Class<?> caught = outer.call(() -> {
            assertThatThrownBy(inner::lose).isInstanceOf(LeaseLostException.class);
            return LeaseLostException.class;
        });

        assertThat(caught).isEqualTo(LeaseLostException.class);
    }

    @Test
    void onLost_innerInterrupts_interruptsTheInnerCallOnly() {
        boolean interrupted = outer.call(() -> {
            assertThatThrownBy(inner::loseAndWait).isInstanceOf(LeaseLostException.class);
            return Thread.currentThread().isInterrupted();
        });

        assertThat(interrupted).isFalse();
    }

    @Test
    void holdAtLeast_inner_keepsTheLockOnTheNode() {
        outer.call(inner::brief);

        assertThat(application.node().timeLeft("job")).isBetween(Duration.ofSeconds(10), Duration.ofSeconds(20));
    }

    @Test
    void holdAtLeast_innerPublisher_keepsTheLockOnTheNode() {
        outer.publish(Mono.defer(inner::briefPublisher)).block();

        assertThat(application.node().timeLeft("job")).isBetween(Duration.ofSeconds(10), Duration.ofSeconds(20));
    }

    @Test
    void holdAtLeast_innerIsShorter_leavesThatOfTheOuterMethod() {
        outer.kept(inner::brief);

        assertThat(application.node().timeLeft("job")).isBetween(Duration.ofSeconds(30), Duration.ofSeconds(40));
    }
}
