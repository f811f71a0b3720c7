package io.holdfast.testkit.hostile;

import static io.holdfast.servers.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.holdfast.Holdfast;
import io.holdfast.HoldfastException;
import io.holdfast.HoldfastOptions;
import io.holdfast.Lease;
import io.holdfast.LockOptions;
import io.holdfast.RestartPolicy;
import io.holdfast.admin.LockStatus;
import io.holdfast.lease.FencingToken;
import io.holdfast.redis.keys.Keys;
import io.holdfast.servers.PatientOptions;
import io.holdfast.servers.RedisReplyException;
import io.holdfast.servers.RedisServers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A contract for any Redis client whose servers are also used by a client that may do everything on them. */
public abstract class HostileClientContract {

    private static final int SEEDS = Boolean.getBoolean("holdfast.evidence") ? 40 : 12;

    private static final HoldfastOptions OPTIONS =
            PatientOptions.CLIENT.toBuilder().restarts(RestartPolicy.DURABLE).build();
    private static final LockOptions LOCK = PatientOptions.LOCK;

    /** For attempts that may fail. */
    private static final LockOptions BRIEF = LockOptions.builder()
            .lease(Duration.ofSeconds(3))
            .waitLimit(Duration.ofMillis(300))
            .build();

    private final RedisServers servers = RedisServers.start(3);
    private final Holdfast client = Holdfast.connect(servers.addresses(), OPTIONS);

    @AfterEach
    final void close() {
        client.close();
        servers.close();
    }

    private void onAll(String... command) {
        servers.forEach(server -> server.exec(command));
    }

    @Test
    void lease_lockDeletedByAnotherClient_isLostAndTheNextTokenIsGreater() throws InterruptedException {
        LockOptions soonRenewed = LOCK.toBuilder()
                .lease(Duration.ofSeconds(3))
                .nodeTimeout(Duration.ofSeconds(2))
                .build();
        Lease lease = client.lock("a", soonRenewed).acquire();
        onAll("DEL", "a");

        lease.lossFuture().join();

        assertThat(client.lock("a", LOCK).acquire().fencingToken()).isGreaterThan(lease.fencingToken());
    }

    @Test
    void acquire_lockSetByAnotherClient_isRefusedUntilItsTimeToLiveEnds() throws InterruptedException {
        onAll("SET", "a", "theirs", "PX", "600000");
        assertThat(client.lock("a", LOCK).tryAcquire()).isEmpty();

        onAll("PEXPIRE", "a", "500");

        assertThat(client.lock("a", LOCK).acquire().isValid()).isTrue();
    }

    @Test
    void acquire_tokenSetToTheGreatest_failsWithoutEffectOnOtherLocks() throws InterruptedException {
        onAll("SET", Keys.of("a").fence(), FencingToken.GREATEST.toString());

        assertThatThrownBy(() -> client.lock("a", BRIEF).acquire()).isInstanceOf(HoldfastException.class);

        assertThat(client.lock("b", LOCK).acquire().isValid()).isTrue();
        onAll("DEL", Keys.of("a").fence());
        assertThat(client.lock("a", LOCK).acquire().isValid()).isTrue();
    }

    /** The message of the scripts that a lock is free and reserved for the receiver. */
    @Test
    void acquire_forgedNotifications_isNotGranted() throws InterruptedException {
        try (Holdfast holder = Holdfast.connect(servers.addresses(), OPTIONS)) {
            Lease held = holder.lock("a", LOCK).acquire();
            CompletableFuture<Lease> waiter = client.lock("a", LOCK).acquireAsync();
            eventually("the waiter has an inbox", () -> !inboxes().isEmpty());

            for (int i = 0; i < 300; i++) {
                for (String inbox : inboxes()) {
                    onAll("PUBLISH", inbox, i % 2 + " 9007199254740991 a");
                }
            }

            assertThat(waiter).isNotDone();
            assertThat(held.isValid()).isTrue();
            held.release();
            assertThat(waiter.join().fencingToken()).isGreaterThan(held.fencingToken());
        }
    }

    private List<String> inboxes() {
        List<String> names = new ArrayList<>();
        if (servers.get(0).exec("PUBSUB", "CHANNELS", "holdfast:inbox:*") instanceof List<?> channels) {
            channels.forEach(channel -> names.add(String.valueOf(channel)));
        }
        return names;
    }

    @Test
    void list_namesThatNoClientOfHoldfastMakes_areLeftOut() throws InterruptedException {
        onAll("SET", "{\u001b[2J}:holdfast:fence", "1");
        onAll("SET", ":holdfast:fence", "1");
        onAll("SET", "a".repeat(600) + "::holdfast:fence", "1");
        client.lock("mine", LOCK).acquire();

        assertThat(client.admin().list()).extracting(LockStatus::resource).containsExactly("mine");
    }

    @Test
    void breakLock_keyOfAnotherTypeHasTheName_isKept() {
        onAll("HSET", "a", "field", "value");

        assertThat(client.admin().breakLock("a").toString()).contains("something other than a lock");
        assertThat(servers.get(0).exec("HGET", "a", "field")).isEqualTo("value");
    }

    /** The keys beside a lock with content of any type. */
    @Test
    void calls_anyContentOfTheKeys_endWithDocumentedOutcomes() {
        FuzzSeeds.run("hostile client, " + getClass().getSimpleName(), SEEDS, seed -> {
            Random random = new Random(seed);
            onAll("FLUSHALL");
            Keys keys = Keys.of("a");
            for (String key : List.of(
                    keys.lock(),
                    keys.fence(),
                    keys.marker(),
                    keys.queue(),
                    keys.reservation(),
                    keys.sharedHolders(),
                    keys.note(),
                    keys.record())) {
                if (random.nextInt(3) == 0) {
                    spoil(key, random);
                }
            }
            requireDocumented(catchThrowable(() -> use(random)));
            requireDocumented(catchThrowable(() -> client.admin().status("a")));
            requireDocumented(catchThrowable(() -> client.admin().record("a")));
            requireDocumented(catchThrowable(() -> client.admin().list()));
        });
    }

    private void spoil(String key, Random random) {
        HostileValues values = new HostileValues(random);
        String text = String.valueOf(values.value(0));
        List<String> write = switch (random.nextInt(5)) {
            case 0 -> List.of("SET", key, text);
            case 1 -> List.of("SET", key, text, "PX", "300");
            case 2 -> List.of("ZADD", key, "1", text);
            case 3 -> List.of("HSET", key, "run", text, "gmax", text, "floor", values.message(), "observed", text);
            default -> List.of("RPUSH", key, text);
        };
        servers.forEach(server -> {
            server.exec("DEL", key);
            try {
                server.exec(write.toArray(String[]::new));
            } catch (RedisReplyException e) {
                // The end of an earlier release has just written the key.
            }
        });
    }

    private void use(Random random) throws InterruptedException {
        LockOptions options = BRIEF.toBuilder().fair(random.nextBoolean()).build();
        Lease lease = client.lock("a", options).acquire();
        lease.extend(Duration.ofSeconds(2));
        lease.release();
    }

    /** Requires that a call has succeeded or has failed as documented, with a message that shows no internals. */
    static void requireDocumented(Throwable failure) {
        if (failure != null) {
            assertThat(failure).isInstanceOfAny(HoldfastException.class, IllegalStateException.class);
            assertThat(failure).hasMessageNotContainingAny("java.", "For input");
            assertThat(String.valueOf(failure.getMessage()).chars().noneMatch(Character::isISOControl))
                    .as("no control characters in: " + failure.getMessage())
                    .isTrue();
        }
    }
}
