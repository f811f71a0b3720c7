package io.holdfast.testkit.contract;

import static io.holdfast.servers.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.lease.FencingToken;
import io.holdfast.lease.LockMode;
import io.holdfast.lease.Owner;
import io.holdfast.node.Claim;
import io.holdfast.node.Reply;
import io.holdfast.node.WaitTicket;
import io.holdfast.node.WakeUp;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A contract for acquires and releases of different locks that go to a server in one command. */
public abstract class BatchContract {

    private static final Duration TTL = Duration.ofSeconds(30);
    private static final SecureRandom RANDOM = new SecureRandom();
    private static final Pattern SCRIPTS = Pattern.compile("cmdstat_evalsha:calls=(\\d+)");

    @AutoClose
    private final NodeOnServer on = new NodeOnServer();

    private long fence = on.clockMicros() & ~1L;

    @Test
    void askAll_manyLocks_takesFewCommands() {
        acquireAndRelease(claims(2));
        List<Claim> claims = claims(250);

        on.server().exec("CONFIG", "RESETSTAT");
        assertThat(replies(claims)).containsOnly(Reply.GRANTED);
        assertThat(scripts()).isEqualTo(3);

        on.server().exec("CONFIG", "RESETSTAT");
        assertThat(replies(releases(claims))).containsOnly(Reply.GRANTED);
        assertThat(scripts()).isEqualTo(3);
        assertThat(on.server().exec("EXISTS", "lock-0", "lock-249")).isEqualTo(0L);
    }

    @Test
    void askAll_differentOutcomes_repliesToEachSeparately() {
        List<Claim> held = claims(3);
        assertThat(replies(held)).containsOnly(Reply.GRANTED);
        replies(List.of(held.get(2).release()));
        Claim stale = Claim.acquire("lock-2", owner(), TTL, held.get(2).fence());
        Claim ahead = Claim.acquire("lock-3", owner(), TTL, new FencingToken(fence + 3_600_000_000L));

        List<Reply> replies = replies(List.of(
                claim("lock-0"),
                held.get(1),
                stale,
                ahead,
                claim("lock-4"),
                claim("lock-5").release()));

        assertThat(Attempt.refused(replies.get(0)).timeLeft()).isPositive();
        assertThat(replies.get(1)).isEqualTo(Reply.GRANTED);
        assertThat(replies.get(2)).isEqualTo(new Reply.Stale(held.get(2).fence()));
        assertThat(replies.get(3)).isInstanceOf(Reply.Ahead.class);
        assertThat(replies.get(4)).isEqualTo(Reply.GRANTED);
        assertThat(Attempt.refused(replies.get(5)).timeLeft()).isZero();
    }

    @Test
    void askAll_claimsOfOneLock_areCarriedOutInTheirOrder() {
        // The first run of a script takes two commands, between which another command may overtake it.
        acquireAndRelease(claims(2));
        acquireAndRelease(claims(1));
        Claim first = claim("a");
        Claim second = claim("a");
        Claim withdrawn = claim("a");

        List<Reply> replies = replies(
                List.of(first, claim("b"), first.release(), second, second.release(), withdrawn.withdraw(), withdrawn));

        assertThat(replies.subList(0, 5)).containsOnly(Reply.GRANTED);
        assertThat(replies.get(5)).isInstanceOf(Reply.Refused.class);
        assertThat(replies.get(6)).isInstanceOf(Reply.Stale.class);
    }

    @Test
    void askAll_oneKeyIsForbidden_failsOnlyThatClaim() {
        acquireAndRelease(claims(2));
        on.server().exec("ACL", "SETUSER", "default", "resetkeys", "~order:*", "~{order:*", "~holdfast:*");

        List<Reply> replies = replies(List.of(claim("order:1"), claim("secret:1"), claim("order:2")));

        assertThat(replies.get(0)).isEqualTo(Reply.GRANTED);
        assertThat(replies.get(1)).isInstanceOf(Reply.Failed.class);
        assertThat(replies.get(1).toString()).contains("secret:1");
        assertThat(replies.get(2)).isEqualTo(Reply.GRANTED);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void askAll_oneKeyOfAnotherType_failsOnlyThatClaim(boolean wasLocked) {
        Claim held = claim("lock-0");
        assertThat(replies(List.of(held))).containsOnly(Reply.GRANTED);
        // The second acquire of a lock prepares the fast path of the third one.
        for (int i = 0; wasLocked && i < 2; i++) {
            acquireAndRelease(List.of(claim("lock-1"), claim("lock-3")));
        }
        on.server().exec("HSET", "lock-1", "field", "value");

        List<Reply> replies = replies(List.of(held.release(), claim("lock-1"), claim("lock-2")));

        assertThat(replies.get(0)).isEqualTo(Reply.GRANTED);
        assertThat(replies.get(1).toString()).contains("holds something other than a lock");
        assertThat(replies.get(2)).isEqualTo(Reply.GRANTED);
    }

    /** A script that is aborted leaves what it has done. */
    @Test
    void askAll_scriptFailsAfterARelease_acknowledgesTheRelease() {
        Claim held = claim("lock-0");
        assertThat(replies(List.of(held))).containsOnly(Reply.GRANTED);
        on.server().exec("DEL", "holdfast:marker");
        on.server().exec("RPUSH", "holdfast:marker", "element");

        List<Reply> replies = replies(List.of(held.release(), claim("lock-1")));

        assertThat(replies.get(0)).isEqualTo(Reply.GRANTED);
        assertThat(replies.get(1)).isInstanceOf(Reply.Failed.class);
    }

    @Test
    void askAll_outOfMemory_failsAcquiresOnly() {
        List<Claim> held = claims(2);
        assertThat(replies(held)).containsOnly(Reply.GRANTED);
        on.server().exec("CONFIG", "SET", "maxmemory", "1");

        List<Reply> replies =
                replies(List.of(claim("x"), held.get(0).release(), held.get(1).release()));

        assertThat(replies.get(0)).isInstanceOf(Reply.Failed.class);
        assertThat(replies.get(0).toString()).contains("mayBeCarriedOut=false");
        assertThat(replies.subList(1, 3)).containsOnly(Reply.GRANTED);
        assertThat(on.server().exec("EXISTS", "x", "lock-0", "lock-1")).isEqualTo(0L);
    }

    @Test
    void askAll_quarantine_grantsNone() {
        acquireAndRelease(claims(3));

        on.server().exec("DEL", "holdfast:marker");

        assertThat(replies(claims(3))).hasOnlyElementsOfType(Reply.Quarantined.class);
    }

    @Test
    void askAll_serverForgetsItsScripts_areCarriedOut() {
        acquireAndRelease(claims(3));

        on.server().exec("SCRIPT", "FLUSH");

        acquireAndRelease(claims(3));
    }

    @Test
    void askAll_releaseWithAWaiter_notifiesIt() {
        List<WakeUp> wakeUps = new CopyOnWriteArrayList<>();
        on.node().listen("inbox", wakeUps::add);
        List<Claim> held = claims(3);
        assertThat(replies(held)).containsOnly(Reply.GRANTED);
        Claim waiter = claim("lock-1").withTicket(new WaitTicket("inbox", 1, false, LockMode.EXCLUSIVE));
        Attempt.refused(on.node().ask(waiter).toCompletableFuture().join());

        assertThat(replies(releases(held))).containsOnly(Reply.GRANTED);

        if (on.node().canNotify()) {
            eventually(
                    "the waiter is notified",
                    () -> wakeUps.stream().anyMatch(wakeUp -> wakeUp.resource().equals("lock-1")));
        }
    }

    @Test
    void ask_manyThreads_repliesToEachSeparately() {
        List<CompletableFuture<Void>> threads = IntStream.range(0, 16)
                .mapToObj(i -> CompletableFuture.runAsync(() -> cycle("own-" + i)))
                .toList();

        threads.forEach(CompletableFuture::join);
    }

    private void cycle(String resource) {
        for (int i = 0; i < 50; i++) {
            Claim claim = claim(resource);
            assertThat(ask(claim)).isEqualTo(Reply.GRANTED);
            Attempt.refused(ask(claim(resource)));
            assertThat(ask(claim.release())).isEqualTo(Reply.GRANTED);
        }
    }

    private Reply ask(Claim claim) {
        return on.node().ask(claim).toCompletableFuture().join();
    }

    private void acquireAndRelease(List<Claim> claims) {
        assertThat(replies(claims)).containsOnly(Reply.GRANTED);
        assertThat(replies(releases(claims))).containsOnly(Reply.GRANTED);
    }

    private List<Claim> claims(int count) {
        List<Claim> claims = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            claims.add(claim("lock-" + i));
        }
        return claims;
    }

    private synchronized Claim claim(String resource) {
        fence += 2;
        return Claim.acquire(resource, owner(), TTL, new FencingToken(fence));
    }

    private static Owner owner() {
        return Owner.fresh(RANDOM);
    }

    private static List<Claim> releases(List<Claim> claims) {
        return claims.stream().map(Claim::release).toList();
    }

    private List<Reply> replies(List<Claim> claims) {
        return Attempt.replies(on.node().askAll(claims));
    }

    private int scripts() {
        Matcher matcher = SCRIPTS.matcher(Objects.toString(on.server().exec("INFO", "commandstats")));
        assertThat(matcher.find()).isTrue();
        return Integer.parseInt(matcher.group(1));
    }
}
