package io.holdfast;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.admin.LockStatus;
import io.holdfast.node.NodeAnswer;
import io.holdfast.node.ResourceName;
import io.holdfast.node.memory.InMemoryNode;
import io.holdfast.time.VirtualTime;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Locks whose names users were given: several lines, reserved words, whole documents. */
class UnusualNamesTest {

    private final VirtualTime time = new VirtualTime();
    private final InMemoryNode node = new InMemoryNode("a", time);
    private final Holdfast here = Holdfast.forTesting(List.of(node), time, new Random(1));
    private final Holdfast there = Holdfast.forTesting(List.of(node), time, new Random(2));

    private <T> T settled(CompletableFuture<T> future) {
        time.advance(Duration.ofMillis(50));
        return Completed.value(future);
    }

    @ParameterizedTest
    @ValueSource(strings = {"a\nb", " ", "holdfast:marker", "{\n  \"id\": 42\n}", "holdfast:name:a%0ab", "\u001b[2J"})
    void acquire_unusualName_isOneLockWithThisName(String name) {
        Lease lease = settled(here.lock(name).acquireAsync());

        assertThat(lease.resource()).isEqualTo(name);
        assertThat(here.lock(name).resource()).isEqualTo(name);
        assertThat(settled(there.lock(name).tryAcquireAsync())).isEmpty();
        assertThat(here.admin().list()).extracting(LockStatus::resource).containsExactly(name);
        assertThat(DetachedLease.parse(lease.handle().text()).resource()).isEqualTo(name);
    }

    @ParameterizedTest
    @ValueSource(strings = {"a\nb", "holdfast:marker", "\u001b[2J"})
    void breakLock_keyThatAListingShows_breaksTheLock(String name) {
        Lease lease = settled(here.lock(name).acquireAsync());
        String key = ResourceName.listed(name);

        assertThat(here.admin().status(key).resource()).isEqualTo(name);
        assertThat(here.admin().breakLock(key)).allMatch(NodeAnswer::value);
        time.settle();
        assertThat(lease.isValid()).isFalse();
    }

    @ParameterizedTest
    @ValueSource(ints = {513, 100_000})
    void acquire_longName_isListedByItsDigest(int length) {
        String name = "x".repeat(length);
        Lease lease = settled(here.lock(name).acquireAsync());

        assertThat(lease.resource()).isEqualTo(name);
        assertThat(settled(there.lock(name).tryAcquireAsync())).isEmpty();
        assertThat(settled(there.lock(name + "x").tryAcquireAsync())).isPresent();
        String listed = here.admin().list().get(0).resource();
        assertThat(listed).startsWith("holdfast:digest:").endsWith(":" + "x".repeat(40));
        assertThat(here.admin().status(listed).isHeldSomewhere()).isTrue();
        assertThatThrownBy(() -> here.lock(listed)).hasMessageContaining("is the key of another name");
    }

    /** A name may come from a request, and a message goes to a log. */
    @ParameterizedTest
    @ValueSource(strings = {"a\n2026-11-25 ERROR all is lost", "\u001b[2J"})
    void acquire_refused_hasAMessageOfOneLine(String name) {
        settled(here.lock(name).acquireAsync());

        CompletableFuture<Lease> refused = there.lock(name).acquireAsync(Duration.ZERO);
        time.settle();

        assertThat(Completed.failure(refused)).isInstanceOfSatisfying(LockTimeoutException.class, failure -> {
            assertThat(failure.resource()).isEqualTo(name);
            assertThat(failure).message().doesNotContainPattern("\\p{Cc}");
        });
    }
}
