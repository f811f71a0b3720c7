package io.holdfast.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.acquire.AcquireResult;
import io.holdfast.lease.ClientDescription;
import io.holdfast.time.VirtualTime;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import org.junit.jupiter.api.Test;

/** Which waits of one client are logged, when, and how. */
class LongWaitsTest {

    private final VirtualTime time = new VirtualTime();
    private final List<String> lines = new ArrayList<>();
    private final List<String> lookedUp = new ArrayList<>();
    private Optional<ClientDescription> holder = Optional.of(new ClientDescription("orders@pod-7", 12, Instant.EPOCH));
    private boolean isOn = true;
    private Executor background = Runnable::run;

    private final PendingAcquisitions pending = new PendingAcquisitions(
            lock -> {
                lookedUp.add(lock);
                return CompletableFuture.completedFuture(holder);
            },
            lock -> new AcquireResult.Refused<>(null, Duration.ZERO, Optional.empty()),
            new LongWaits.Log() {
                @Override
                public boolean logsWaits() {
                    return isOn;
                }

                @Override
                public void inBackground(Runnable task) {
                    background.execute(task);
                }

                @Override
                public void waits(String line) {
                    lines.add(line);
                }
            },
            time);

    private CompletableFuture<Object> request(String lock) {
        CompletableFuture<Object> wanted = new CompletableFuture<>();
        pending.add(wanted, lock);
        return wanted;
    }

    @Test
    void check_halfAMinuteAndMore_isLoggedWithTheHolderAtGrowingIntervals() {
        request("orders");

        time.advance(Duration.ofSeconds(30));
        assertThat(lines).isEmpty();
        time.advance(Duration.ofSeconds(11));
        assertThat(lines)
                .containsExactly(
                        "A request has waited for 'orders' for more than 30 s; it is held by orders@pod-7, pid 12");

        time.advance(Duration.ofHours(1));
        assertThat(lines).hasSize(7).last().asString().contains("for more than 1920 s; it is held by orders@pod-7");
        assertThat(lookedUp).hasSize(7);
    }

    @Test
    void check_holderIsNotKnown_saysAnother() {
        holder = Optional.empty();
        request("orders");

        time.advance(Duration.ofSeconds(41));

        assertThat(lines).singleElement().asString().endsWith("s; it is held by another");
    }

    @Test
    void check_manyRequestsForOneLock_areOneLine() {
        for (int i = 0; i < 100; i++) {
            request("orders");
        }

        time.advance(Duration.ofSeconds(41));

        assertThat(lines)
                .containsExactly("100 requests have waited for 'orders', the longest for more than 30 s; it is held by"
                        + " orders@pod-7, pid 12");
    }

    @Test
    void check_manyLocks_namesTenAndTheNumberOfTheOthers() {
        for (int i = 0; i < 30; i++) {
            request("lock-" + i);
        }

        time.advance(Duration.ofSeconds(41));

        assertThat(lines).hasSize(11).last().isEqualTo("Requests have waited as long for 20 more locks");
        assertThat(lookedUp).hasSize(10);
    }

    /** Each request of a busy lock is short. */
    @Test
    void check_otherRequestsAtEachTime_isNotLogged() {
        CompletableFuture<Object> last = request("orders");
        for (int i = 0; i < 60; i++) {
            time.advance(Duration.ofSeconds(15));
            CompletableFuture<Object> next = request("orders");
            last.complete(null);
            last = next;
        }

        assertThat(lines).isEmpty();
    }

    @Test
    void begin_afterAllHaveEnded_watchesAgain() {
        request("orders").complete(null);
        time.advance(Duration.ofMinutes(1));
        request("orders");

        time.advance(Duration.ofSeconds(41));

        assertThat(lines).hasSize(1);
    }

    @Test
    void check_waitForSomethingElse_isNotLogged() {
        request("");

        time.advance(Duration.ofMinutes(5));

        assertThat(lines).isEmpty();
    }

    /** The first use of a log may take long, and the timer thread renews leases. */
    @Test
    void check_longWait_isExaminedInTheBackground() {
        List<Runnable> tasks = new ArrayList<>();
        background = tasks::add;
        request("orders");

        time.advance(Duration.ofSeconds(41));
        assertThat(lines).isEmpty();
        time.advance(Duration.ofMinutes(1));
        tasks.forEach(Runnable::run);
        time.advance(Duration.ofSeconds(31));
        tasks.get(tasks.size() - 1).run();

        assertThat(lines).hasSize(1);
    }

    @Test
    void check_logIsOff_looksUpNoHolder() {
        isOn = false;
        request("orders");

        time.advance(Duration.ofMinutes(5));

        assertThat(lines).isEmpty();
        assertThat(lookedUp).isEmpty();
    }
}
