package io.holdfast.redis;

import io.holdfast.node.Checkup;
import io.holdfast.node.Claim;
import io.holdfast.node.FencingToken;
import io.holdfast.node.LockView;
import io.holdfast.node.NodeTerms;
import io.holdfast.node.Operations;
import io.holdfast.node.Told;
import io.holdfast.time.Time;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** An operator's questions to one server, in commands that every server has: whoever may not run scripts is answered too. */
final class RedisOperations implements Operations {

    /** Longer than anybody wants to know who held a lock; the next holder overwrites it. */
    private static final String NOTE_MILLIS = Long.toString(Duration.ofDays(7).toMillis());

    private static final String NAMES = "*:holdfast:fence";
    private static final String SCAN_STEP = "500";

    private final RedisPort port;
    private final NodeTerms terms;
    private final Reception reception;

    RedisOperations(RedisPort port, NodeTerms terms, Reception reception) {
        this.reception = reception;
        this.port = port;
        this.terms = terms;
    }

    @Override
    public CompletionStage<Told<LockView>> inspect(String resource) {
        RedisSession session = port.session();
        Keys keys = Keys.of(resource);
        List<CompletionStage<Answer>> answers = List.of(
                session.send(List.of("MGET", keys.lock(), keys.fence(), keys.note())),
                session.send(List.of("PTTL", keys.lock())),
                session.send(List.of("ZRANGE", keys.line(), "0", "-1")),
                session.send(List.of("ZRANGE", keys.shares(), "0", "-1")));
        return told(
                answers,
                all -> view(
                        Answers.list(all.get(0)),
                        Answers.number(all.get(1)),
                        Answers.list(all.get(2)).size(),
                        Answers.list(all.get(3)).size()));
    }

    private static LockView view(List<?> values, long pttl, int waiting, int shares) {
        @Nullable Object owner = values.get(0);
        FencingToken fence = values.get(1) == null
                ? FencingToken.NONE
                : new FencingToken(Long.parseLong(values.get(1).toString()));
        if (owner == null) {
            return new LockView("", 0, Duration.ZERO, fence, waiting, "");
        }
        boolean shared = Keys.SHARED.equals(owner);
        String holder = shared ? "shared" : Fingerprint.of(owner.toString());
        String note = String.valueOf(values.get(2));
        return new LockView(
                holder,
                shared ? shares : 0,
                Replies.timeLeft(pttl),
                fence,
                waiting,
                note.startsWith(holder + " ") ? note.substring(holder.length() + 1) : "");
    }

    @Override
    public CompletionStage<Told<List<String>>> names() {
        return scan(port.session(), "0", new ArrayList<>());
    }

    private static CompletionStage<Told<List<String>>> scan(RedisSession session, String cursor, List<String> found) {
        return session.send(List.of("SCAN", cursor, "MATCH", NAMES, "COUNT", SCAN_STEP))
                .thenCompose(answer -> {
                    List<?> page = Answers.list(answer);
                    if (page.size() != 2 || !(page.get(1) instanceof List<?> keys)) {
                        return CompletableFuture.completedFuture(Told.nothing(reason(answer, "+scan")));
                    }
                    keys.forEach(key -> found.add(Keys.resource(key.toString())));
                    String next = String.valueOf(page.get(0));
                    return next.equals("0")
                            ? CompletableFuture.completedFuture(Told.of(found))
                            : scan(session, next, found);
                });
    }

    @Override
    public CompletionStage<Told<Boolean>> evict(String resource) {
        Keys keys = Keys.of(resource);
        return told(
                List.of(port.session().send(List.of("DEL", keys.lock(), keys.shares(), keys.beside()))),
                all -> Answers.number(all.get(0)) > 0);
    }

    @Override
    public CompletionStage<Told<Boolean>> annotate(Claim held, String text) {
        String key = Keys.of(held.resource()).note();
        String holder = held.isShared() ? "shared" : Fingerprint.of(held.owner().token());
        List<String> command =
                text.isEmpty() ? List.of("DEL", key) : List.of("SET", key, holder + " " + text, "PX", NOTE_MILLIS);
        return told(List.of(port.session().send(command)), all -> true);
    }

    @Override
    public CompletionStage<Checkup> examine(Time time) {
        return new Examination(port.session(), terms, reception, time).run();
    }

    private static <T> CompletionStage<Told<T>> told(
            List<CompletionStage<Answer>> answers, Function<List<Answer>, T> meaning) {
        return Answers.all(answers).thenApply(all -> {
            Answer failure = Answers.firstFailure(all);
            return failure == null
                    ? Told.of(meaning.apply(all))
                    : Told.nothing(reason(failure, "the rights of a client"));
        });
    }

    private static String reason(Answer answer, String right) {
        return answer instanceof Answer.ServerError error && error.message().startsWith("NOPERM")
                ? "the user may not ask this; grant it " + right
                : Replies.failure(answer).cause();
    }
}
