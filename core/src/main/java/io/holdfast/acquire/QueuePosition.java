package io.holdfast.acquire;

import io.holdfast.node.WaitTicket;
import io.holdfast.quorum.LockParameters;
import org.jspecify.annotations.Nullable;

/** The position of one waiter in the wait queues of the nodes, which notify it. At first there is none. Thread-safe. */
final class QueuePosition {

    private final LockWait wait;
    private final WakeUpInbox inbox;
    private volatile @Nullable WaitTicket ticket;

    QueuePosition(LockWait wait) {
        this.wait = wait;
        this.inbox = wait.queues().inbox();
    }

    /** Returns the position, or null if there is none. */
    @Nullable
    WaitTicket ticket() {
        return ticket;
    }

    /** Draws a position, if the waiter may wait and enough nodes can notify it. */
    void draw(WakeUpInbox.Subscriber waiter) {
        if (!wait.limit().isWaiting()) {
            return;
        }
        LockParameters parameters = wait.parameters();
        ticket = inbox.ticket(wait.resource(), wait.since(), parameters.fair(), parameters.mode());
        if (ticket != null) {
            inbox.add(wait.resource(), waiter);
        }
    }

    /** Ends the notifications of the waiter. */
    void leave(WakeUpInbox.Subscriber waiter) {
        inbox.remove(wait.resource(), waiter);
    }
}
