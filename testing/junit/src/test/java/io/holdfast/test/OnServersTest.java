package io.holdfast.test;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.Holdfast;
import io.holdfast.Lease;
import io.holdfast.servers.Eventually;
import io.holdfast.servers.PatientOptions;
import io.holdfast.servers.RespClient;
import java.net.URI;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A user's test on three servers, which empties them before each test, as tests of Spring projects do. */
@Tag("server")
@HoldfastTest(servers = 3)
class OnServersTest {

    /** Otherwise each flush would begin a quarantine of 66 s. */
    @RepeatedTest(3)
    void acquire_afterAFlush_isGrantedAtOnce(Holdfast holdfast, HoldfastExtension locks) throws Exception {
        flush(locks);

        assertThat(holdfast.lock("order:1", PatientOptions.LOCK).tryAcquire()).isPresent();
    }

    @Test
    void takeAway_held_isReportedAtOnce(Holdfast holdfast, HoldfastExtension locks) throws Exception {
        Lease lease = holdfast.lock("order:1", PatientOptions.LOCK).acquire();

        locks.takeAway("order:1");

        assertThat(lease.lossFuture().get().resource()).isEqualTo("order:1");
        assertThat(locks.isHeld("order:1")).isFalse();
    }

    @Test
    void heldElsewhere_free_isRefusedToTheApplication(Holdfast holdfast, HoldfastExtension locks) throws Exception {
        locks.heldElsewhere("order:1");

        assertThat(locks.isHeld("order:1")).isTrue();
        assertThat(holdfast.lock("order:1", PatientOptions.LOCK).tryAcquire()).isEmpty();
    }

    private static void flush(HoldfastExtension locks) throws Exception {
        assertThat(locks.addresses()).hasSize(3);
        for (String address : locks.addresses()) {
            try (RespClient client = new RespClient(URI.create(address).getPort(), Eventually.BOUND)) {
                client.exec("FLUSHALL");
            }
        }
    }
}
