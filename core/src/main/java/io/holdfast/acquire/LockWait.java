package io.holdfast.acquire;

import io.holdfast.quorum.FenceProposer;
import io.holdfast.quorum.LockParameters;
import io.holdfast.quorum.NodeGroup;
import io.holdfast.time.Moment;
import java.time.Duration;

/**
 * One wait for a lock: what is waited for, and for how long.
 *
 * @param since the moment from which the limit and the position in the wait queues count
 */
record LockWait(
        NodeQueues queues,
        FenceProposer proposer,
        String resource,
        LockParameters parameters,
        WaitLimit limit,
        Moment since) {

    NodeGroup group() {
        return queues.group();
    }

    Moment now() {
        return group().now();
    }

    /** Returns the time for which the wait has lasted. */
    Duration waited(Moment now) {
        return now.surelySince(since);
    }
}
