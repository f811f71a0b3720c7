package io.holdfast.testkit.contract;

import static io.holdfast.testkit.contract.Attempt.replies;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.lease.FencingToken;
import io.holdfast.lease.Owner;
import io.holdfast.node.Claim;
import io.holdfast.node.Reply;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** A contract for the load that very many leases of one client cause on a server. */
public abstract class ManyLeasesContract {

    private static final int LEASES = 1_000;

    @Test
    void renewal_thousandLeases_takesTenCommands() {
        try (NodeOnServer server = new NodeOnServer()) {
            List<Claim> claims = claims(server);
            assertThat(replies(server.node().askAll(claims))).containsOnly(Reply.GRANTED);
            List<Claim> extensions = claims.stream()
                    .map(claim -> claim.extend(Duration.ofSeconds(60)))
                    .toList();
            replies(server.node().askAll(extensions));
            server.server().exec("CONFIG", "RESETSTAT");

            assertThat(replies(server.node().askAll(extensions))).containsOnly(Reply.GRANTED);

            assertThat(calls(server, "evalsha")).isEqualTo(LEASES / 100);
            assertThat((Long) server.server().exec("PTTL", "order:999")).isGreaterThan(30_000);
        }
    }

    /** The text of a script is many times longer than a claim. If the server forgets a script, it is sent again. */
    @Test
    void acquire_scriptIsUnknown_sendsItsTextOnce() {
        try (NodeOnServer server = new NodeOnServer()) {
            List<Claim> claims = claims(server);
            server.server().exec("CONFIG", "RESETSTAT");

            assertThat(replies(server.node().askAll(claims))).containsOnly(Reply.GRANTED);

            assertThat(calls(server, "eval")).isLessThan(10);
            server.server().exec("SCRIPT", "FLUSH");
            assertThat(replies(server.node().askAll(claims))).containsOnly(Reply.GRANTED);
        }
    }

    @Test
    void renewal_oneKeyIsForbidden_failsOnlyThatLease() {
        try (NodeOnServer server = new NodeOnServer()) {
            List<Claim> claims = Stream.of("order:1", "secret:1", "order:2")
                    .map(resource -> Claim.acquire(
                            resource,
                            Owner.fresh(new SecureRandom()),
                            Duration.ofSeconds(30),
                            new FencingToken(server.clockMicros())))
                    .toList();
            replies(server.node().askAll(claims));
            server.server().exec("ACL", "SETUSER", "default", "resetkeys", "~order:*", "~{order:*", "~holdfast:*");

            List<Reply> renewed = replies(server.node()
                    .askAll(claims.stream()
                            .map(claim -> claim.extend(Duration.ofSeconds(60)))
                            .toList()));

            assertThat(renewed.get(0)).isEqualTo(Reply.GRANTED);
            assertThat(renewed.get(1)).isInstanceOf(Reply.Failed.class);
            assertThat(renewed.get(2)).isEqualTo(Reply.GRANTED);
        }
    }

    private static List<Claim> claims(NodeOnServer server) {
        long clock = server.clockMicros();
        SecureRandom random = new SecureRandom();
        return IntStream.range(0, LEASES)
                .mapToObj(i -> Claim.acquire(
                        "order:" + i, Owner.fresh(random), Duration.ofSeconds(30), new FencingToken(clock)))
                .toList();
    }

    private static int calls(NodeOnServer server, String command) {
        Object stats = server.server().exec("INFO", "commandstats");
        Matcher matcher = Pattern.compile("cmdstat_" + command + ":calls=(\\d+)")
                .matcher(Objects.requireNonNull(stats).toString());
        assertThat(matcher.find()).isTrue();
        return Integer.parseInt(matcher.group(1));
    }
}
