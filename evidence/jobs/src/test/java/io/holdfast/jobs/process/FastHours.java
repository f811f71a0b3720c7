package io.holdfast.jobs.process;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;

/**
 * The wall clock of one machine, on which an hour passes in some seconds. Only the wall clock is fast: leases, and the
 * clocks of the servers, are those of the real machine.
 *
 * @param origin the real moment at which the first hour begins by a clock that is right
 * @param ahead the lead of this machine
 */
record FastHours(Instant origin, Duration ahead) {

    /** The real time of an hour. */
    static final Duration HOUR = Duration.ofSeconds(6);

    private static final double SPEED = (double) Duration.ofHours(1).toMillis() / HOUR.toMillis();
    private static final double NANOS_PER_MILLI = 1e6;

    /** Returns what a right clock shows at the origin: ahead of the servers, so that they remember each hour. */
    private Instant first() {
        return origin.truncatedTo(ChronoUnit.HOURS).plus(Duration.ofHours(2));
    }

    /** Returns the clock for schedulers and periods. */
    Clock clock() {
        return new Clock() {
            @Override
            public ZoneId getZone() {
                return ZoneOffset.UTC;
            }

            @Override
            public Clock withZone(ZoneId zone) {
                return this;
            }

            @Override
            public Instant instant() {
                double millis = Duration.between(origin, Instant.now()).toNanos() / NANOS_PER_MILLI * SPEED;
                return first().plus(ahead).plusMillis((long) millis);
            }
        };
    }

    /** Returns the real time that passes while this one does on the clock. */
    static Duration real(Duration shown) {
        return Duration.ofNanos((long) Math.ceil(shown.toNanos() / SPEED));
    }

    /** Returns what the clock shows at the beginning of an hour, counted from zero. */
    Instant shown(int hour) {
        return first().plus(Duration.ofHours(hour));
    }

    /** Returns the real moment at which this machine's clock shows the beginning of an hour, counted from zero. */
    Instant begin(int hour) {
        return origin.plus(HOUR.multipliedBy(hour)).minus(real(ahead));
    }

    /** Returns the present hour. */
    int now() {
        return hour(clock().instant());
    }

    /** Returns the hour of a moment on the clock, counted from zero. */
    int hour(Instant shown) {
        return (int) Math.floorDiv(
                Duration.between(first(), shown).toMillis(), Duration.ofHours(1).toMillis());
    }
}
