package io.holdfast.cli.output;

import io.holdfast.HoldfastException;
import io.holdfast.HoldfastException.NodeReply;
import io.holdfast.LockTimeoutException;
import io.holdfast.QuorumUnreachableException;
import io.holdfast.admin.LockStatus;
import io.holdfast.node.NodeAnswer;
import io.holdfast.node.Reply;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The failures of the library in one line for users of the command. */
public final class FailureText {

    /** A shorter wait is not worth mentioning: the command did not wait. */
    private static final Duration NOTICEABLE = Duration.ofMillis(50);

    private FailureText() {}

    /** Describes a failure; see {@link #of(LockTimeoutException, Optional)} for contention. */
    public static String of(HoldfastException failure) {
        if (failure instanceof LockTimeoutException held) {
            return of(held, Optional.empty());
        } else if (failure instanceof QuorumUnreachableException unreachable) {
            return of(unreachable, unreachable.waited());
        }
        return "lost the lock '" + failure.resource()
                + "': its lease ended before it was renewed, an administrator broke it, or it is on other servers";
    }

    /**
     * Describes contention.
     *
     * @param status the lock after the failure, for the note of its holder
     */
    public static String of(LockTimeoutException failure, Optional<LockStatus> status) {
        String name = "'" + failure.resource() + "'";
        String end = failure.waited().compareTo(NOTICEABLE) < 0
                ? ""
                : "; gave up after " + DurationText.measured(failure.waited());
        if (failure.remainingHold().filter(Reply.Refused.ENDLESS::equals).isPresent()) {
            return name + " is held by a key without a time limit, so not by Holdfast; delete it if its holder is gone";
        }
        String holder = status.map(StatusText::holder).orElse("");
        if (!holder.isEmpty()) {
            return name + " is held" + holder + end;
        }
        return failure.hasSingleHolder()
                ? name + " is held by another client" + end
                : name + " is contended for: no client has a majority" + end;
    }

    /** Returns the reply of each server, for {@code -v}; empty if the failure contains none. */
    public static Optional<String> replies(Throwable failure) {
        List<NodeReply> replies = failure instanceof LockTimeoutException held
                ? held.replies()
                : failure instanceof QuorumUnreachableException unreachable ? unreachable.replies() : List.of();
        String joined = replies.stream().map(NodeReply::toString).collect(Collectors.joining("; "));
        return replies.isEmpty() ? Optional.empty() : Optional.of("replies: " + joined);
    }

    /**
     * Describes servers that cannot be used.
     *
     * @param tried the time from the first connection attempt
     */
    public static String of(QuorumUnreachableException failure, Duration tried) {
        List<NodeReply> failed = failure.replies().stream()
                .filter(reply -> reply.kind() != NodeReply.Kind.VOTED)
                .toList();
        return "no majority for '" + failure.resource() + "': " + failed.size() + " of " + failure.nodes()
                + (failure.nodes() == 1 ? " server" : " servers") + " cannot be used"
                + (tried.compareTo(NOTICEABLE) < 0 ? "" : "; tried for " + DurationText.measured(tried))
                + causes(failed);
    }

    private static String causes(List<NodeReply> failed) {
        return mainCause(failed.stream(), NodeReply::text, NodeReply::node);
    }

    /** Returns the servers that have not answered a query, with the cause. */
    static String causes(LockStatus status) {
        return mainCause(
                status.nodes().stream().filter(node -> !node.isPresent()), NodeAnswer::error, NodeAnswer::node);
    }

    /** Returns the cause that most servers have in common, and mentions others. */
    private static <T> String mainCause(Stream<T> failed, Function<T, String> cause, Function<T, String> node) {
        Map<String, List<String>> byCause = failed.collect(
                Collectors.groupingBy(cause, LinkedHashMap::new, Collectors.mapping(node, Collectors.toList())));
        return byCause.entrySet().stream()
                .max((one, other) ->
                        Integer.compare(one.getValue().size(), other.getValue().size()))
                .map(main -> " [" + String.join(", ", main.getValue()) + ": " + main.getKey()
                        + (byCause.size() > 1 ? "; `holdfast doctor` shows all" : "") + "]")
                .orElse("");
    }
}
