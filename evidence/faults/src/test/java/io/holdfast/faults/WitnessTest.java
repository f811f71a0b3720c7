package io.holdfast.faults;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.testkit.LineLink;
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
    private LineLink first;

    @SuppressWarnings("NullAway.Init")
    private LineLink second;

    @BeforeEach
    void connect() throws IOException {
        witness = Witness.start();
        first = LineLink.to(witness.port());
        second = LineLink.to(witness.port());
    }

    @AfterEach
    void close() throws IOException {
        first.close();
        second.close();
        witness.close();
    }

    @Test
    void enter_otherIsInsideAndValid_isAnOverlap() throws IOException {
        first.send("enter a one/0 1 exclusive " + LATER);

        second.send("enter a two/0 2 exclusive " + LATER);

        first.send("leave a one/0 0 live " + Long.MAX_VALUE);
        assertThat(witness.observations().overlaps()).isEqualTo(1);
    }

    @Test
    void enter_leaseOfTheOtherHasEnded_isAllowed() throws IOException {
        first.send("enter a one/0 1 exclusive " + LATER);
        long end = System.nanoTime();

        second.send("enter a two/0 2 exclusive " + LATER);

        first.send("leave a one/0 7 EXPIRED " + end);
        assertThat(witness.observations().overlaps()).isZero();
        assertThat(witness.observations().overruns()).isEqualTo(1);
    }

    @Test
    void enter_ownLeaseHasEnded_isNotInside() throws IOException {
        first.send("enter a one/0 2 exclusive " + LATER);

        second.send("enter a two/0 1 exclusive " + System.nanoTime());

        first.send("leave a one/0 0 live " + Long.MAX_VALUE);
        assertThat(witness.observations().overlaps()).isZero();
        assertThat(witness.observations().disorders()).isZero();
        assertThat(witness.observations().entries()).isEqualTo(1);
    }

    @Test
    void enter_shared_isAllowedBesideSharedOnly() throws IOException {
        first.send("enter a one/0 1 shared " + LATER);
        second.send("enter a two/0 2 shared " + LATER);
        second.send("leave a two/0 0 live " + Long.MAX_VALUE);
        assertThat(witness.observations().sharedEntries()).isEqualTo(1);

        second.send("enter a two/0 3 exclusive " + LATER);

        first.send("leave a one/0 0 live " + Long.MAX_VALUE);
        assertThat(witness.observations().overlaps()).isEqualTo(1);
    }
}
