package io.holdfast.faults;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** An overlap counts while the lease of the first holder is valid, and not while a busy machine stops its process. */
class WitnessTest {

    private static final long LATER = System.nanoTime() + Duration.ofHours(1).toNanos();

    @SuppressWarnings("NullAway.Init")
    private Witness witness;

    @SuppressWarnings("NullAway.Init")
    private WitnessLink first;

    @SuppressWarnings("NullAway.Init")
    private WitnessLink second;

    @BeforeEach
    void connect() throws IOException {
        witness = Witness.start();
        first = WitnessLink.to(witness.port());
        second = WitnessLink.to(witness.port());
    }

    @AfterEach
    void close() throws IOException {
        first.close();
        second.close();
        witness.close();
    }

    @Test
    void enter_otherIsInsideAndValid_isAnOverlap() throws IOException {
        first.report("enter a one/0 1 exclusive " + LATER);

        second.report("enter a two/0 2 exclusive " + LATER);

        first.report("leave a one/0 0 live " + Long.MAX_VALUE);
        assertThat(witness.observations().overlaps()).isEqualTo(1);
    }

    @Test
    void enter_leaseOfTheOtherHasEnded_isAllowed() throws IOException {
        first.report("enter a one/0 1 exclusive " + LATER);
        long end = System.nanoTime();

        second.report("enter a two/0 2 exclusive " + LATER);

        first.report("leave a one/0 7 EXPIRED " + end);
        assertThat(witness.observations().overlaps()).isZero();
        assertThat(witness.observations().overruns()).isEqualTo(1);
    }

    @Test
    void enter_ownLeaseHasEnded_isNotInside() throws IOException {
        first.report("enter a one/0 2 exclusive " + LATER);

        second.report("enter a two/0 1 exclusive " + System.nanoTime());

        first.report("leave a one/0 0 live " + Long.MAX_VALUE);
        assertThat(witness.observations().overlaps()).isZero();
        assertThat(witness.observations().disorders()).isZero();
        assertThat(witness.observations().entries()).isEqualTo(1);
    }

    @Test
    void enter_shared_isAllowedBesideSharedOnly() throws IOException {
        first.report("enter a one/0 1 shared " + LATER);
        second.report("enter a two/0 2 shared " + LATER);
        second.report("leave a two/0 0 live " + Long.MAX_VALUE);
        assertThat(witness.observations().sharedEntries()).isEqualTo(1);

        second.report("enter a two/0 3 exclusive " + LATER);

        first.report("leave a one/0 0 live " + Long.MAX_VALUE);
        assertThat(witness.observations().overlaps()).isEqualTo(1);
    }
}
