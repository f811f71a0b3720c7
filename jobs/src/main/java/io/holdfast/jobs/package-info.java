/**
 * Jobs: locks with a record of runs. {@link io.holdfast.jobs.Job} runs code once per period; {@link
 * io.holdfast.jobs.JobRecorder} records the runs of other code under a lease.
 */
@NullMarked
package io.holdfast.jobs;

import org.jspecify.annotations.NullMarked;
