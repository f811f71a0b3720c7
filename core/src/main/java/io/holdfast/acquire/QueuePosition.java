package io.holdfast.acquire;

import io.holdfast.node.WaitTicket;
import io.holdfast.quorum.LockParameters;
import io.holdfast.quorum.WakeUpInbox;
import io.holdfast.time.Moment;
import org.jspecify.annotations.Nullable;

/** The position of one waiter in the wait queues of the nodes, which notify it. Thread-safe. */
final class QueuePosition {

    private final WakeUpInbox inbox;
    private final String resource;
    private final LockParameters parameters;
    private final WaitLimit limit;
    private final Moment since;
    private volatile @Nullable WaitTicket ticket;

    /**
     * Creates an object without a position.
     *
     * @param since the moment from which the position counts
     */
    QueuePosition(WakeUpInbox inbox, String resource, LockParameters parameters, WaitLimit limit, Moment since) {
        this.inbox = inbox;
        this.resource = resource;
        this.parameters = parameters;
        this.limit = limit;
        this.since = since;
    }

    /** Returns the position, or null if there is none. */
    @Nullable
    WaitTicket ticket() {
        return ticket;
    }

    /** Draws a position, if the waiter may wait and enough nodes can notify it. */
    void draw(WakeUpInbox.Subscriber waiter) {
        if (!limit.isWaiting()) {
            return;
        }
        ticket = inbox.ticket(resource, since, parameters.fair(), parameters.mode());
        if (ticket != null) {
            inbox.add(resource, waiter);
        }
    }

    /** Ends the notifications of the waiter. */
    void leave(WakeUpInbox.Subscriber waiter) {
        inbox.remove(resource, waiter);
    }
}
