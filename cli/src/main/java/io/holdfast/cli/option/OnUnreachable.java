package io.holdfast.cli.option;

import io.holdfast.HoldfastException.NodeReply;
import io.holdfast.QuorumUnreachableException;
import io.holdfast.cli.syntax.Arguments;
import io.holdfast.cli.syntax.CommandOption;
import io.holdfast.node.ProcessLimit;
import java.util.Locale;

/**
 * The reaction of a run if too few servers can be used: it fails, succeeds without the command, or runs it unlocked.
 */
public enum OnUnreachable {
    FAIL,
    SKIP,
    RUN;

    public static final CommandOption OPTION = CommandOption.of(
            "--on-unreachable",
            "fail|skip|run",
            "If too few servers answer: exit 69; exit 0 without the command, and without a message unless -v; or run "
                    + "the command WITHOUT the lock, with a warning. A wrong password and other faults that waiting"
                    + " does not mend always exit 69. Default: fail.");

    /** Returns the wanted reaction. */
    public static OnUnreachable of(Arguments arguments) {
        return arguments
                .value(OPTION, text -> valueOf(text.toUpperCase(Locale.ROOT)))
                .orElse(FAIL);
    }

    /**
     * Returns what to do about this failure: a mistake in the configuration or a limit here is no outage, and must be
     * noticed.
     */
    public OnUnreachable reactionTo(QuorumUnreachableException failure) {
        boolean isMistake = failure.replies().stream()
                .anyMatch(reply -> reply.kind() == NodeReply.Kind.UNFIT || ProcessLimit.isIn(reply.text()));
        return isMistake ? FAIL : this;
    }
}
