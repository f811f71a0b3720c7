package io.holdfast;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.event.LockEvent;
import io.holdfast.lease.LossReason;
import io.holdfast.node.memory.InMemoryNode;
import io.holdfast.time.SystemTime;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** User callbacks on real threads. */
@Execution(ExecutionMode.CONCURRENT)
class CallbackTest {

    private static final LockOptions FLEETING =
            LockOptions.builder().lease(Duration.ofMillis(200)).renewal(false).build();

    @Test
    void loss_otherCallbacksBlock_isStillReported() throws Exception {
        try (SystemTime time = new SystemTime();
                Holdfast holdfast = Holdfast.forTesting(List.of(new InMemoryNode("a", time)), time, new Random())) {
            CountDownLatch forGood = new CountDownLatch(1);
            for (int i = 0; i < 50; i++) {
                holdfast.lock("blocking-" + i, FLEETING).acquire().onLost(loss -> await(forGood));
            }
            Lease lease = holdfast.lock("lost", FLEETING).acquire();
            CountDownLatch renewed = new CountDownLatch(1);
            holdfast.onEvent(event -> {
                if (event instanceof LockEvent.Renewed) {
                    renewed.countDown();
                }
            });
            holdfast.lock(
                            "renewed",
                            LockOptions.builder().lease(Duration.ofSeconds(6)).build())
                    .acquire();

            assertThat(lease.lossFuture().get().reason()).isEqualTo(LossReason.EXPIRED);

            renewed.await();
            forGood.countDown();
        }
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
