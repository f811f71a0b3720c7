package io.holdfast.redis;

import io.holdfast.node.Checkup;
import io.holdfast.node.Finding;
import io.holdfast.node.NodeTerms;
import io.holdfast.node.Reply;
import io.holdfast.time.Moment;
import io.holdfast.time.Time;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Whether one server is fit to vote: its settings, its user's rights and its clock. Changes nothing there. */
final class Examination {

    private static final Duration BETWEEN_CLOCKS = Duration.ofSeconds(1);
    private static final double WRONG_SECONDS = 1;
    /** The share of a lease that is taken off for clocks of different rates. */
    private static final double DRIFT = 0.01;

    private static final long SLOW_MILLIS = 25;

    private final RedisSession session;
    private final NodeTerms terms;
    private final Reception reception;
    private final Time time;
    private final Map<String, String> facts = new LinkedHashMap<>();
    private final List<Finding> findings = new ArrayList<>();

    Examination(RedisSession session, NodeTerms terms, Reception reception, Time time) {
        this.reception = reception;
        this.session = session;
        this.terms = terms;
        this.time = time;
    }

    CompletionStage<Checkup> run() {
        return session.send(List.of("INFO")).thenCompose(answer -> {
            if (answer instanceof Answer.Lost lost) {
                findings.add(Finding.error(lost.cause(), "see whether it runs, and whether the address is right"));
                return CompletableFuture.completedFuture(new Checkup(facts, findings));
            }
            settings(answer);
            return rights().thenCompose(done -> clock()).thenApply(done -> new Checkup(facts, findings));
        });
    }

    private void settings(Answer answer) {
        if (!(answer instanceof Answer.Value value) || value.value() == null) {
            findings.add(Finding.warning(
                    "its user may not say INFO, so its version, role, memory and persistence cannot be seen",
                    "grant +info"));
            return;
        }
        Map<String, String> info = Introduction.fields(value.value().toString());
        fact("version", info.getOrDefault("valkey_version", info.getOrDefault("redis_version", "?")));
        String server = TestedServers.of(info);
        boolean tested = TestedServers.all().contains(server);
        fact("tested", tested ? "yes, " + server : "no");
        if (!tested) {
            findings.add(Finding.note(
                    server + " is none of the servers with which Holdfast was tested: "
                            + String.join(", ", TestedServers.all()),
                    ""));
        }
        fact("role", info.getOrDefault("role", "?"));
        fact("up for", info.getOrDefault("uptime_in_seconds", "?") + " s");
        fact("replicas", info.getOrDefault("connected_slaves", "0"));
        boolean keeps = "1".equals(info.get("aof_enabled"));
        fact("append-only file", keeps ? "yes" : "no");
        fact("memory policy", info.getOrDefault("maxmemory_policy", "?"));
        String objection = reception.objection(info);
        if (objection != null) {
            findings.add(Finding.error(objection, ""));
        }
        findings.addAll(ServerSettings.findings(info, terms));
    }

    private void fact(String name, String value) {
        facts.put(name, value);
    }

    private CompletionStage<Void> rights() {
        return session.send(List.of("ACL", "WHOAMI")).thenCompose(whoami -> {
            if (!(whoami instanceof Answer.Value user)) {
                findings.add(Finding.note(
                        "its user's rights cannot be seen",
                        "grant +acl|whoami and +acl|dryrun to have them looked at"));
                return CompletableFuture.completedFuture(null);
            }
            fact("user", String.valueOf(user.value()));
            List<CompletionStage<Answer>> tries = LeastRights.uses().stream()
                    .map(use -> Stream.concat(
                            Stream.of("ACL", "DRYRUN", String.valueOf(user.value())),
                            Arrays.stream(use.split(" ", -1))))
                    .map(command -> session.send(command.toList()))
                    .toList();
            return Answers.all(tries).thenCompose(this::denied);
        });
    }

    /** A dry run says OK, or what is missing. */
    private CompletionStage<Void> denied(List<Answer> answers) {
        List<String> missing = IntStream.range(0, answers.size())
                .filter(i -> answers.get(i) instanceof Answer.Value said && !"OK".equals(said.value()))
                .mapToObj(i -> LeastRights.right(LeastRights.uses().get(i)))
                .toList();
        if (!missing.isEmpty()) {
            findings.add(Finding.error(
                    "its user may not do all that a node needs, or not with the keys and channels of Holdfast",
                    "ACL SETUSER " + facts.get("user") + " " + String.join(" ", missing)
                            + " ~holdfast:* &holdfast:inbox:*, and the key patterns of the locks"));
        } else if (answers.stream().noneMatch(Answer.Value.class::isInstance)) {
            return untried();
        }
        return CompletableFuture.completedFuture(null);
    }

    /** A server before 7.0 knows no dry run; but who may do everything needs none. */
    private CompletionStage<Void> untried() {
        return session.send(List.of("ACL", "LIST")).thenAccept(answer -> {
            boolean mayAll = answer instanceof Answer.Value users
                    && users.value() instanceof List<?> lines
                    && lines.stream().anyMatch(line -> maySayAll(String.valueOf(line)));
            if (!mayAll) {
                findings.add(Finding.note(
                        "its user's rights cannot be tried", "a server from 7.0 on can; grant +acl|dryrun"));
            }
        });
    }

    /** Of a line such as {@code user default on nopass ~* &* +@all}. */
    private boolean maySayAll(String line) {
        List<String> words = List.of(line.split(" ", -1));
        return line.startsWith("user " + facts.get("user") + " ")
                && words.containsAll(List.of("~*", "&*", "+@all"))
                && words.stream().noneMatch(word -> word.startsWith("-"));
    }

    private CompletionStage<Void> clock() {
        return read().thenCompose(first -> {
            CompletableFuture<Void> done = new CompletableFuture<>();
            time.schedule(
                    BETWEEN_CLOCKS,
                    () -> read().thenAccept(second -> {
                        compare(first, second);
                        done.complete(null);
                    }));
            return done;
        });
    }

    /** The server's clock in the middle of a round trip. */
    private record Reading(long micros, Moment sent, Moment answered) {

        double rate(Reading later) {
            double theirs = later.micros - micros;
            double ours = (later.middle() - middle()) / 1_000.0;
            return theirs / ours - 1;
        }

        private double middle() {
            return (sent.nanos() + answered.nanos()) / 2.0;
        }

        double aheadSeconds() {
            double ours = (sent.wallMicros() + answered.wallMicros()) / 2.0;
            return (micros - ours) / 1e6;
        }

        Duration roundTrip() {
            return answered.since(sent);
        }
    }

    private CompletionStage<Reading> read() {
        Moment sent = time.now();
        return session.send(List.of("TIME")).thenApply(answer -> new Reading(Answers.micros(answer), sent, time.now()));
    }

    private void compare(Reading first, Reading second) {
        Duration roundTrip =
                first.roundTrip().compareTo(second.roundTrip()) < 0 ? first.roundTrip() : second.roundTrip();
        fact("round trip", String.format("%.2f ms", roundTrip.toNanos() / 1e6));
        if (roundTrip.toMillis() > SLOW_MILLIS) {
            findings.add(Finding.warning(
                    "it answers after " + roundTrip.toMillis() + " ms; an attempt gives it 50 ms unless told otherwise",
                    "raise nodeTimeout, or put it nearer"));
        }
        if (first.micros() == 0 || second.micros() == 0) {
            findings.add(Finding.warning("its clock cannot be read", "grant +time"));
            return;
        }
        double ahead = second.aheadSeconds();
        fact("clock", String.format("%+.3f s against ours", ahead));
        if (Math.abs(ahead) > WRONG_SECONDS) {
            String text =
                    String.format("its clock is %.1f s %s ours", Math.abs(ahead), ahead > 0 ? "ahead of" : "behind");
            findings.add(
                    -ahead > Reply.Ahead.LEAD.toSeconds()
                            ? Finding.error(
                                    text + ", so after a quiet time it does not vote for this client",
                                    "set the clocks, best by NTP")
                            : Finding.warning(
                                    text,
                                    "set the clocks, best by NTP; fencing tokens go by them where nodes have forgotten"));
        }
        double rate = first.rate(second);
        fact("clock rate", String.format("%+.2f %% against ours", rate * 100));
        double noise = (first.roundTrip().toNanos() + second.roundTrip().toNanos()) / 1e9;
        if (Math.abs(rate) - noise > DRIFT) {
            findings.add(Finding.error(
                    String.format(
                            "its clock runs %+.1f %% against ours, more than the drift that leases allow for",
                            rate * 100),
                    "stop what slews or steps it, or raise driftShare for all clients"));
        }
    }
}
