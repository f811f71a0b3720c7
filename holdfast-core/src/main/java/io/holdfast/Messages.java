package io.holdfast;

import io.holdfast.node.Vote;
import java.util.List;
import java.util.stream.Collectors;

/** Words that several messages share. */
final class Messages {

    private Messages() {}

    static String join(List<Vote> votes) {
        return votes.stream().map(Vote::toString).collect(Collectors.joining("; "));
    }
}
