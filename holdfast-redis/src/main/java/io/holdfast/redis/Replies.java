package io.holdfast.redis;

import io.holdfast.node.FencingToken;
import io.holdfast.node.Fleet;
import io.holdfast.node.Membership;
import io.holdfast.node.Reply;
import io.holdfast.node.Wake;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** From what the scripts return to what it means. */
final class Replies {

    private Replies() {}

    /** How a fleet is written in a marker. */
    static String text(Fleet fleet) {
        return fleet.nodes() + "/" + fleet.maxLease().toMillis();
    }

    static Reply reply(Answer answer, Fleet fleet) {
        if (!(answer instanceof Answer.Value)) {
            return failure(answer);
        }
        try {
            return reply(words(answer), fleet);
        } catch (IllegalArgumentException | ClassCastException | IndexOutOfBoundsException e) {
            return failure(answer);
        }
    }

    /** What an answer means that is not that of the script. */
    static Reply.Failed failure(Answer answer) {
        if (answer instanceof Answer.Lost lost) {
            return new Reply.Failed(lost.sent(), lost.cause());
        } else if (answer instanceof Answer.ServerError error) {
            // The scripts write the lock last, so an error says that nothing was taken.
            return Reply.notSent(ServerErrors.explain(error.message()));
        }
        return Reply.unknown(senseless(answer));
    }

    private static Reply reply(List<?> words, Fleet fleet) {
        return switch (words.get(0).toString()) {
            case "granted" -> Reply.GRANTED;
            case "refused" ->
                new Reply.Refused(
                        timeLeft((Long) words.get(1)),
                        fence(words, 2),
                        words.size() > 3 ? Long.parseLong(word(words, 3)) : 0,
                        words.size() > 4 ? word(words, 4) : "");
            case "stale" -> new Reply.Stale(fence(words, 1));
            case "ahead" -> new Reply.Ahead(fence(words, 1));
            case "quarantined" -> new Reply.Quarantined(fleet.quarantine().minus(millis(words)));
            case "conflict" -> Reply.notSent(conflict(words, fleet));
            default -> throw new IllegalArgumentException("no reply begins so");
        };
    }

    static Membership membership(Answer answer, Fleet fleet) {
        if (answer instanceof Answer.Lost lost) {
            return new Membership.Unknown(lost.cause());
        } else if (answer instanceof Answer.ServerError error) {
            return new Membership.Unknown(ServerErrors.explain(error.message()));
        }
        try {
            return membership(words(answer), fleet);
        } catch (IllegalArgumentException | ClassCastException | IndexOutOfBoundsException e) {
            return new Membership.Unknown(senseless(answer));
        }
    }

    private static Membership membership(List<?> words, Fleet fleet) {
        return switch (words.get(0).toString()) {
            case "admitted" -> new Membership.Admitted(fence(words, 1));
            case "quarantined" -> new Membership.Quarantined(millis(words), "1".equals(word(words, 2)));
            case "conflict" -> new Membership.Unknown(conflict(words, fleet));
            default -> throw new IllegalArgumentException("no reply begins so");
        };
    }

    /** What a message says that came to an inbox; null: nothing that a script of Holdfast would send. */
    static @Nullable Wake wake(String message) {
        String[] words = message.split(" ", 3);
        try {
            return words.length < 3
                    ? null
                    : new Wake(
                            words[2],
                            Duration.ofMillis(Long.parseLong(words[0])),
                            new FencingToken(Long.parseLong(words[1])));
        } catch (IllegalArgumentException e) {
            return null;
        }
    }

    private static List<?> words(Answer answer) {
        if (answer instanceof Answer.Value value && value.value() instanceof List<?> words && !words.isEmpty()) {
            return words;
        }
        throw new IllegalArgumentException("not a list");
    }

    private static String senseless(Answer answer) {
        return "answered what no script of Holdfast says: " + answer;
    }

    private static String conflict(List<?> words, Fleet ours) {
        String[] theirs = word(words, 1).split("/", 2);
        String text = theirs.length == 2 ? theirs[0] + " nodes and a maxLease of " + theirs[1] + " ms" : word(words, 1);
        return "other clients of this node go by " + text + ", this one by " + text(ours, "nodes and a maxLease of")
                + "; give all clients the same, or, with all of them stopped, `holdfast adopt` with the new nodes";
    }

    private static String text(Fleet fleet, String between) {
        return fleet.nodes() + " " + between + " " + fleet.maxLease().toMillis() + " ms";
    }

    /** A key without a time to live was not set by Holdfast; it stays until somebody deletes it. */
    static Duration timeLeft(long pttl) {
        return pttl < 0 ? Reply.Refused.ENDLESS : Duration.ofMillis(pttl);
    }

    private static Duration millis(List<?> words) {
        return Duration.ofMillis(Long.parseLong(word(words, 1)));
    }

    private static FencingToken fence(List<?> words, int index) {
        return new FencingToken(Long.parseLong(word(words, index)));
    }

    private static String word(List<?> words, int index) {
        return String.valueOf(words.get(index));
    }
}
