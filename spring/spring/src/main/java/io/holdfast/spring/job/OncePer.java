package io.holdfast.spring.job;

import io.holdfast.Lease;
import io.holdfast.jobs.JobPeriod;
import io.holdfast.jobs.JobRecorder;
import io.holdfast.jobs.JobRule;
import io.holdfast.spring.attribute.AnnotatedDuration;
import io.holdfast.spring.attribute.LockName;
import java.time.Duration;
import java.time.InstantSource;
import java.time.ZoneId;
import java.util.Optional;
import org.springframework.beans.factory.config.ConfigurableBeanFactory;

/** The period in which a method succeeds once. Immutable. */
public final class OncePer {

    private final JobPeriod period;
    private final String method;

    private OncePer(JobPeriod period, String method) {
        this.period = period;
        this.method = method;
    }

    /**
     * Reads the period of a method; empty if it has none.
     *
     * @param text {@code @hourly} and the like, a duration, or a cron expression of Spring; may contain properties
     * @throws IllegalArgumentException if the text is none of these
     */
    public static Optional<OncePer> of(String text, String method, ConfigurableBeanFactory beans) {
        String resolved = LockName.withProperties(text, beans).strip();
        return resolved.isEmpty() ? Optional.empty() : Optional.of(new OncePer(period(resolved, beans), method));
    }

    private static JobPeriod period(String text, ConfigurableBeanFactory beans) {
        if (text.startsWith("@")) {
            return JobPeriod.parse(text);
        } else if (text.contains(" ")) {
            return CronPeriod.of(text);
        }
        Duration duration = AnnotatedDuration.of("oncePer", text, beans);
        return JobPeriod.of(duration == null ? Duration.ZERO : duration);
    }

    /** Begins a call: the success of an earlier one counts by the period in which this one begins. */
    public MethodRun begin(InstantSource clock) {
        JobRule rule = JobRule.oncePer(period, ZoneId.systemDefault(), clock);
        return new MethodRun(method, (Lease lease) -> JobRecorder.of(lease, rule));
    }
}
