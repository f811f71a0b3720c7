package io.holdfast.test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.Holdfast;
import io.holdfast.HoldfastOptions;
import io.holdfast.Lease;
import io.holdfast.LockOptions;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** A user's test in memory, as docs/testing.md shows it. */
@HoldfastTest
class InMemoryTest {

    @Test
    void heldElsewhere_free_isRefusedToTheApplicationUntilItEnds(Holdfast holdfast, HoldfastExtension locks)
            throws Exception {
        Lease other = locks.heldElsewhere("order:1");

        assertThat(holdfast.lock("order:1").tryAcquire()).isEmpty();
        assertThat(locks.isHeld("order:1")).isTrue();

        other.close();

        assertThat(locks.isHeld("order:1")).isFalse();
        assertThat(holdfast.lock("order:1").tryAcquire()).isPresent();
    }

    @Test
    void heldElsewhere_heldByTheApplication_saysWhatToDo(Holdfast holdfast, HoldfastExtension locks) throws Exception {
        holdfast.lock("order:1").acquire();

        assertThatThrownBy(() -> locks.heldElsewhere("order:1"))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("'order:1' is held already; release it, or take it away first");
    }

    @Test
    void takeAway_held_isReportedAtOnce(Holdfast holdfast, HoldfastExtension locks) throws Exception {
        Lease lease = holdfast.lock("order:1").acquire();
        Lease another = holdfast.lock("order:2").acquire();

        locks.takeAway("order:1");

        assertThat(lease.lossFuture().get().resource()).isEqualTo("order:1");
        assertThat(another.isValid()).isTrue();
        assertThat(holdfast.lock("order:1").tryAcquire()).isPresent();
    }

    @Test
    void takeAway_heldElsewhere_freesTheLock(Holdfast holdfast, HoldfastExtension locks) throws Exception {
        locks.heldElsewhere("order:1");

        locks.takeAway("order:1");

        Optional<Lease> lease = holdfast.lock("order:1").tryAcquire(Duration.ofSeconds(5));
        assertThat(lease).isPresent();
    }

    @Test
    void addresses_inMemory_saysWhatToDo(HoldfastExtension locks) {
        assertThatThrownBy(locks::addresses)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("use onServers");
    }

    /** As in production and on servers: a longer lease would pass the test and fail there. */
    @Test
    void lock_leaseAboveTheDefaultMaxLease_isRefused(Holdfast holdfast) {
        LockOptions tooLong = LockOptions.builder().lease(Duration.ofMinutes(2)).build();

        assertThat(holdfast.options().maxLease()).isEqualTo(HoldfastOptions.DEFAULT.maxLease());
        assertThatThrownBy(() -> holdfast.lock("order:1", tooLong))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("longer than maxLease");
    }

    @Nested
    class Inside {

        @Test
        void holdfast_nestedClass_isInjected(Holdfast holdfast, HoldfastExtension locks) {
            assertThat(locks.holdfast()).isSameAs(holdfast);
        }
    }
}
