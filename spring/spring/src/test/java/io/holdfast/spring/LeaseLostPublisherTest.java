package io.holdfast.spring;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.Holdfast;
import io.holdfast.Lease;
import io.holdfast.lease.LossReason;
import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.Test;
import org.springframework.context.event.EventListener;

class LeaseLostPublisherTest {

    /** Records the events of the application. */
    static class Losses {

        final BlockingQueue<LeaseLostEvent> events = new LinkedBlockingQueue<>();

        @EventListener
        public void lost(LeaseLostEvent event) {
            events.add(event);
        }
    }

    @Test
    void publish_leaseOfAnyKind_isAnEventOfTheApplication() throws InterruptedException {
        try (Application application = Application.of(Losses.class)) {
            Holdfast holdfast = application.bean(Holdfast.class);
            holdfast.lock("released").acquire().release();
            Lease lease = holdfast.lock("limited").acquire();
            lease.limit(Duration.ZERO);

            LeaseLostEvent event = application.bean(Losses.class).events.take();

            assertThat(event).isNotNull();
            assertThat(event.resource()).isEqualTo("limited");
            assertThat(event.fencingToken()).isEqualTo(lease.fencingToken());
            assertThat(event.loss().reason()).isEqualTo(LossReason.HOLD_LIMIT);
        }
    }
}
