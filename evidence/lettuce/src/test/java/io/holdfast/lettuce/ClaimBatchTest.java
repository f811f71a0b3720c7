package io.holdfast.lettuce;

import static io.holdfast.servers.Eventually.eventually;
import static io.holdfast.servers.Eventually.result;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.LockOptions;
import io.holdfast.lease.FencingToken;
import io.holdfast.lease.LockMode;
import io.holdfast.lease.Owner;
import io.holdfast.node.Claim;
import io.holdfast.node.LockNode;
import io.holdfast.node.NodeSettings;
import io.holdfast.node.QuorumConfig;
import io.holdfast.node.Reply;
import io.holdfast.node.WaitTicket;
import io.holdfast.node.WakeUp;
import io.holdfast.servers.PatientOptions;
import io.holdfast.servers.RedisServer;
import io.holdfast.time.SystemTime;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Acquires and releases of different locks that go to a server in one command. */
@Tag("server")
@Execution(ExecutionMode.CONCURRENT)
class ClaimBatchTest {

    private static final NodeSettings SETTINGS =
            new NodeSettings(new QuorumConfig(1, LockOptions.MAX_LEASE), true, PatientOptions.CLIENT.connectTimeout());

    private static final Duration TTL = Duration.ofSeconds(30);
    private static final SecureRandom RANDOM = new SecureRandom();
    private static final Pattern SCRIPTS = Pattern.compile("cmdstat_evalsha:calls=(\\d+)");

    @AutoClose
    private final RedisServer server = RedisServer.start();

    @AutoClose
    private final SystemTime time = new SystemTime();

    @AutoClose
    private final LockNode node = OneWriteNode.on(server, SETTINGS, time);

    private long fence = System.currentTimeMillis() * 1_000;

    @Test
    void askAll_manyLocks_takesFewCommands() {
        acquireAndRelease(claims(2));
        List<Claim> claims = claims(250);

        server.exec("CONFIG", "RESETSTAT");
        assertThat(replies(claims)).containsOnly(Reply.GRANTED);
        assertThat(scripts()).isEqualTo(3);

        server.exec("CONFIG", "RESETSTAT");
        assertThat(replies(releases(claims))).containsOnly(Reply.GRANTED);
        assertThat(scripts()).isEqualTo(3);
        assertThat(server.exec("EXISTS", "lock-0", "lock-249")).isEqualTo(0L);
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

        assertThat(refused(replies.get(0)).timeLeft()).isPositive();
        assertThat(replies.get(1)).isEqualTo(Reply.GRANTED);
        assertThat(replies.get(2)).isEqualTo(new Reply.Stale(held.get(2).fence()));
        assertThat(replies.get(3)).isInstanceOf(Reply.Ahead.class);
        assertThat(replies.get(4)).isEqualTo(Reply.GRANTED);
        assertThat(refused(replies.get(5)).timeLeft()).isZero();
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
        server.exec("ACL", "SETUSER", "default", "resetkeys", "~order:*", "~{order:*", "~holdfast:*");

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
        server.exec("HSET", "lock-1", "field", "value");

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
        server.exec("DEL", "holdfast:marker");
        server.exec("RPUSH", "holdfast:marker", "element");

        List<Reply> replies = replies(List.of(held.release(), claim("lock-1")));

        assertThat(replies.get(0)).isEqualTo(Reply.GRANTED);
        assertThat(replies.get(1)).isInstanceOf(Reply.Failed.class);
    }

    @Test
    void askAll_outOfMemory_failsAcquiresOnly() {
        List<Claim> held = claims(2);
        assertThat(replies(held)).containsOnly(Reply.GRANTED);
        server.exec("CONFIG", "SET", "maxmemory", "1");

        List<Reply> replies =
                replies(List.of(claim("x"), held.get(0).release(), held.get(1).release()));

        assertThat(replies.get(0)).isInstanceOf(Reply.Failed.class);
        assertThat(replies.get(0).toString()).contains("mayBeCarriedOut=false");
        assertThat(replies.subList(1, 3)).containsOnly(Reply.GRANTED);
        assertThat(server.exec("EXISTS", "x", "lock-0", "lock-1")).isEqualTo(0L);
    }

    @Test
    void askAll_quarantine_grantsNone() {
        acquireAndRelease(claims(3));

        server.exec("DEL", "holdfast:marker");

        assertThat(replies(claims(3))).hasOnlyElementsOfType(Reply.Quarantined.class);
    }

    @Test
    void askAll_serverForgetsItsScripts_areCarriedOut() {
        acquireAndRelease(claims(3));

        server.exec("SCRIPT", "FLUSH");

        acquireAndRelease(claims(3));
    }

    @Test
    void askAll_releaseWithAWaiter_notifiesIt() {
        List<WakeUp> wakeUps = new CopyOnWriteArrayList<>();
        node.listen("inbox", wakeUps::add);
        List<Claim> held = claims(3);
        assertThat(replies(held)).containsOnly(Reply.GRANTED);
        Claim waiter = claim("lock-1").withTicket(new WaitTicket("inbox", 1, false, LockMode.EXCLUSIVE));
        refused(ask(waiter));

        assertThat(replies(releases(held))).containsOnly(Reply.GRANTED);

        eventually(
                "the waiter is notified",
                () -> wakeUps.stream().anyMatch(wakeUp -> wakeUp.resource().equals("lock-1")));
    }

    @Test
    void ask_oneAfterAnother_takesTheScriptOfOneClaim() {
        claims(10).forEach(claim -> assertThat(ask(claim)).isEqualTo(Reply.GRANTED));

        assertThat(Objects.toString(server.exec("INFO", "commandstats")))
                .contains("cmdstat_evalsha:calls=10,", "cmdstat_eval:calls=1,");
    }

    private Reply ask(Claim claim) {
        return result(node.ask(claim));
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

    private Claim claim(String resource) {
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
        List<Reply> replies = new ArrayList<>();
        node.askAll(claims).forEach(reply -> replies.add(result(reply)));
        return replies;
    }

    private static Reply.Refused refused(Reply reply) {
        assertThat(reply).isInstanceOf(Reply.Refused.class);
        return (Reply.Refused) reply;
    }

    /** Returns the number of scripts but for the two that make the thread busy. */
    private int scripts() {
        Matcher matcher = SCRIPTS.matcher(Objects.toString(server.exec("INFO", "commandstats")));
        assertThat(matcher.find()).isTrue();
        return Integer.parseInt(matcher.group(1)) - 2;
    }
}
