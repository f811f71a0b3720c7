package io.holdfast.spring.job;

import io.holdfast.Lease;
import io.holdfast.jobs.JobPeriod;
import io.holdfast.jobs.JobRecorder;
import io.holdfast.jobs.JobRule;
import io.holdfast.spring.attribute.AnnotatedDuration;
import io.holdfast.spring.attribute.LockName;
import java.lang.reflect.Method;
import java.time.Duration;
import java.time.InstantSource;
import java.time.ZoneId;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.springframework.beans.factory.config.ConfigurableBeanFactory;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.scheduling.annotation.Schedules;
import org.springframework.util.StringUtils;

/** The period in which a method succeeds once. Immutable. */
public final class OncePer {

    private final JobPeriod period;
    private final Optional<ZoneId> zone;
    private final String name;

    private OncePer(JobPeriod period, Optional<ZoneId> zone, String name) {
        this.period = period;
        this.zone = zone;
        this.name = name;
    }

    /**
     * Reads the period of a method; empty if it has none. Its days are those of the zone of {@link Scheduled} on the
     * method, or else of the process.
     *
     * @param text {@code @hourly} and the like, a duration, or a cron expression of Spring; may contain properties
     * @param name the name of the method in the record
     * @throws IllegalArgumentException if the text is none of these, or if the method has several zones
     */
    public static Optional<OncePer> of(String text, Method method, String name, ConfigurableBeanFactory beans) {
        String resolved = LockName.withProperties(text, beans).strip();
        return resolved.isEmpty()
                ? Optional.empty()
                : Optional.of(new OncePer(period(resolved, beans), zone(method, beans), name));
    }

    private static Optional<ZoneId> zone(Method method, ConfigurableBeanFactory beans) {
        Set<String> zones =
                AnnotatedElementUtils.getMergedRepeatableAnnotations(method, Scheduled.class, Schedules.class).stream()
                        .map(scheduled -> LockName.withProperties(scheduled.zone(), beans))
                        .collect(Collectors.toCollection(TreeSet::new));
        if (zones.size() > 1) {
            throw new IllegalArgumentException("its @Scheduled have several time zones, whose days differ: " + zones);
        }
        return zones.stream()
                .filter(StringUtils::hasText)
                .map(text -> StringUtils.parseTimeZoneString(text).toZoneId())
                .findFirst();
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

    ZoneId zone() {
        return zone.orElseGet(ZoneId::systemDefault);
    }

    /** Begins a call: the success of an earlier one counts by the period in which this one begins. */
    public MethodRun begin(InstantSource clock) {
        JobRule rule = JobRule.oncePer(period, zone(), clock);
        return new MethodRun(name, (Lease lease) -> JobRecorder.of(lease, rule));
    }
}
