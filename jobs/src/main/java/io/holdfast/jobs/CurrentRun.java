package io.holdfast.jobs;

import io.holdfast.Lease;
import java.util.List;

/**
 * The run of a job for its body. Thread-safe.
 *
 * @param lease the lease of the job, for its fencing token and for callbacks on a loss
 * @param decision why the job runs
 */
public record CurrentRun(Lease lease, JobDecision decision) {

    /** Returns the earlier runs of the job, the newest first; none if too few nodes know them. */
    public List<JobRun> earlierRuns() {
        return decision.history().runs();
    }
}
