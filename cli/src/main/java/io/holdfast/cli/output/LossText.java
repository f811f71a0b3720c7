package io.holdfast.cli.output;

import io.holdfast.admin.LockAdmin;
import io.holdfast.lease.Loss;
import java.time.Duration;

/**
 * The loss of a lock in words for users of the command.
 *
 * @param admin tells by whom a lock was broken, and why servers do not answer
 */
public record LossText(LockAdmin admin) {

    /**
     * Describes the loss, as the start of a sentence that ends with its consequence.
     *
     * @param limit the time within which the servers may answer
     */
    public String of(Loss loss, Duration limit) {
        String lost = "lost the lock '" + loss.resource() + "'";
        if (loss.isLate()) {
            return lost + " " + loss.overrun().toMillis()
                    + " ms ago: this machine or this process was stopped for longer than the lease, or its clock was"
                    + " set forward, so another may have run meanwhile";
        }
        return switch (loss.reason()) {
            case EXPIRED -> lost + ": " + removal(loss, limit);
            case TAKEN -> lost + ": another client holds it";
            case QUORUM_UNREACHABLE -> lost + ": too few servers have answered" + causes(loss, limit);
            case HOLD_LIMIT -> "the command has held '" + loss.resource() + "' for as long as --hold-limit allows";
            case CLOSED -> lost + ": the client was closed";
        };
    }

    private String causes(Loss loss, Duration limit) {
        return HolderQuery.status(admin, loss.resource(), limit)
                .map(FailureText::causes)
                .orElse("");
    }

    private String removal(Loss loss, Duration limit) {
        return HolderQuery.status(admin, loss.resource(), limit)
                .map(HolderNote::removal)
                .filter(note -> !note.isEmpty())
                .map(note -> "it was broken by " + note)
                .orElse("it was removed from the servers, as by `holdfast break`");
    }
}
