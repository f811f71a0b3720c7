package io.holdfast.reactor;

import static io.holdfast.servers.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.DistributedLock;
import io.holdfast.Holdfast;
import io.holdfast.servers.PatientOptions;
import io.holdfast.test.HoldfastExtension;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import reactor.core.Disposable;
import reactor.core.publisher.Mono;

/** Subscribers that cancel at random moments, ten thousand in the profile {@code evidence}, leave no lock behind. */
abstract class CancellationContract {

    private static final int THREADS = 4;
    private static final int ROUNDS = Boolean.getBoolean("holdfast.evidence") ? 2_500 : 250;
    private static final int NAMES = 8;
    private static final int LONGEST_MICROS = 400;
    private static final int PATIENT_IS_ONE_IN = 10;

    private final HoldfastExtension locks;
    private final Holdfast holdfast;
    private final AtomicInteger granted = new AtomicInteger();

    CancellationContract(HoldfastExtension locks) {
        this.locks = locks;
        this.holdfast = locks.holdfast();
    }

    @Test
    void using_randomCancellations_leaveNothingHeld() throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(THREADS);
        List<Future<?>> all = new ArrayList<>();
        for (int i = 0; i < THREADS; i++) {
            int seed = i;
            all.add(threads.submit(() -> subscribeAndCancel(new Random(seed))));
        }
        for (Future<?> one : all) {
            one.get();
        }
        threads.shutdown();

        eventually("nothing is held", () -> held().isEmpty());
        assertThat(granted.get()).isBetween(1, THREADS * ROUNDS);
    }

    private List<String> held() {
        List<String> held = new ArrayList<>();
        for (int i = 0; i < NAMES; i++) {
            if (locks.isHeld("name:" + i)) {
                held.add("name:" + i);
            }
        }
        return held;
    }

    private Void subscribeAndCancel(Random random) throws InterruptedException {
        for (int i = 0; i < ROUNDS; i++) {
            CountDownLatch begun = new CountDownLatch(1);
            DistributedLock lock = holdfast.lock("name:" + random.nextInt(NAMES), PatientOptions.LOCK);
            Disposable subscription = ReactorLocks.using(lock, lease -> {
                        granted.incrementAndGet();
                        begun.countDown();
                        return Mono.delay(Duration.ofNanos(random.nextInt(LONGEST_MICROS) * 1_000L));
                    })
                    .subscribe(item -> {}, failure -> {});
            // A slow machine grants nothing within the times below.
            if (random.nextInt(PATIENT_IS_ONE_IN) == 0) {
                begun.await();
            }
            long until = System.nanoTime() + random.nextInt(LONGEST_MICROS) * 1_000L;
            while (System.nanoTime() < until) {
                Thread.onSpinWait();
            }
            subscription.dispose();
        }
        return null;
    }
}
