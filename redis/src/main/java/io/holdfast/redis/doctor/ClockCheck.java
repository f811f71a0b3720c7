package io.holdfast.redis.doctor;

import io.holdfast.lease.FenceRules;
import io.holdfast.node.Diagnosis;
import io.holdfast.node.Diagnosis.Finding;
import io.holdfast.redis.client.RedisReplies;
import io.holdfast.redis.client.RedisReply;
import io.holdfast.redis.client.RedisSession;
import io.holdfast.time.Moment;
import io.holdfast.time.Time;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** Measures the round trip to a server, and compares the time and the rate of its clock with ours. */
final class ClockCheck {

    private static final Duration BETWEEN_READINGS = Duration.ofSeconds(1);
    private static final double WRONG_SECONDS = 1;
    /** The share of a lease by which its validity is reduced, because clocks may run at different rates. */
    private static final double DRIFT = 0.01;

    private static final long SLOW_MILLIS = 250;
    private static final double NANOS_PER_MILLI = 1e6;
    private static final double MILLIS_PER_SECOND = 1e3;

    private final RedisSession session;
    private final Time time;
    private final Map<String, Object> facts = new LinkedHashMap<>();
    private final List<Finding> findings = new ArrayList<>();

    ClockCheck(RedisSession session, Time time) {
        this.session = session;
        this.time = time;
    }

    CompletionStage<Diagnosis> run() {
        return read().thenCompose(first -> {
            // A closed connection replies at once, and a second reading would wait for a timer that never fires.
            if (first.micros() == 0) {
                compare(first, first);
                return CompletableFuture.completedFuture(new Diagnosis(facts, findings));
            }
            CompletableFuture<Diagnosis> done = new CompletableFuture<>();
            time.schedule(
                    BETWEEN_READINGS,
                    () -> read().thenAccept(second -> {
                        compare(first, second);
                        done.complete(new Diagnosis(facts, findings));
                    }));
            return done;
        });
    }

    /** A reading of the server's clock, assumed to be in the middle of a round trip. */
    private record Reading(RedisReply reply, Moment sent, Moment received) {

        long micros() {
            return RedisReplies.micros(reply);
        }

        double rate(Reading later) {
            double theirs = later.micros() - micros();
            double ours = (later.middle() - middle()) / 1_000.0;
            return theirs / ours - 1;
        }

        private double middle() {
            return (sent.nanos() + received.nanos()) / 2.0;
        }

        double aheadSeconds() {
            double ours = (sent.wallMicros() + received.wallMicros()) / 2.0;
            return (micros() - ours) / 1e6;
        }

        Duration roundTrip() {
            return received.since(sent);
        }
    }

    private CompletionStage<Reading> read() {
        Moment sent = time.now();
        return session.send(List.of("TIME")).thenApply(reply -> new Reading(reply, sent, time.now()));
    }

    private void compare(Reading first, Reading second) {
        Duration roundTrip =
                first.roundTrip().compareTo(second.roundTrip()) < 0 ? first.roundTrip() : second.roundTrip();
        facts.put("roundTripMillis", rounded(roundTrip.toNanos() / NANOS_PER_MILLI));
        if (roundTrip.toMillis() > SLOW_MILLIS) {
            findings.add(Finding.warning(
                    "it answers after " + roundTrip.toMillis()
                            + " ms; a round of a lock lasts 500 ms at most by default",
                    "move it nearer, or give all clients a longer node timeout"));
        }
        if (first.micros() == 0 || second.micros() == 0) {
            findings.add(notRead(first.micros() == 0 ? first.reply() : second.reply()));
            return;
        }
        compareTime(second.aheadSeconds());
        compareRate(
                first.rate(second),
                (first.roundTrip().toNanos() + second.roundTrip().toNanos()) / 1e9);
    }

    /** A connection that has ended says nothing about the rights of its user. */
    private static Finding notRead(RedisReply reply) {
        return reply instanceof RedisReply.NoReply none
                ? Finding.warning(
                        "its clock cannot be read: " + none.cause(),
                        "examine it again; if that recurs, raise the idle timeout of the proxy before it")
                : Finding.warning("its clock cannot be read", "grant +time");
    }

    /** Rounds to two decimals. */
    private static double rounded(double value) {
        return Math.round(value * 100) / 100.0;
    }

    private void compareTime(double ahead) {
        facts.put("clockOffsetMillis", rounded(ahead * MILLIS_PER_SECOND));
        if (Math.abs(ahead) <= WRONG_SECONDS) {
            return;
        }
        String text = String.format("its clock is %.1f s %s ours", Math.abs(ahead), ahead > 0 ? "ahead of" : "behind");
        findings.add(
                -ahead > FenceRules.MAX_LEAD.toSeconds()
                        ? Finding.error(
                                text + ", so after a quiet time it does not vote for this client",
                                "set the clocks, preferably by NTP")
                        : Finding.warning(
                                text, "set the clocks, preferably by NTP; fencing tokens use them where nodes forgot"));
    }

    /**
     * Compares the rates. The round trips are noise: a millisecond is a thousandth of the second between the readings.
     */
    private void compareRate(double rate, double noise) {
        facts.put("clockRatePercent", rounded(rate * 100));
        if (Math.abs(rate) - noise > DRIFT) {
            findings.add(Finding.error(
                    String.format(
                            "its clock runs %+.1f %% against ours, more than the drift that leases allow for",
                            rate * 100),
                    "stop what slews or steps it, or allow for more drift in all clients"));
        }
    }
}
