package io.holdfast;

import io.holdfast.time.ForwardingTime;
import io.holdfast.time.Moment;
import io.holdfast.time.Time;
import java.time.Duration;

/** The time of a machine whose wall clock is wrong. */
final class WrongClock extends ForwardingTime {

    private final Time right;
    private final Duration ahead;

    WrongClock(Time right, Duration ahead) {
        super(right);
        this.right = right;
        this.ahead = ahead;
    }

    @Override
    public Moment now() {
        Moment now = right.now();
        return new Moment(now.nanos(), now.wallMicros() + ahead.toNanos() / 1_000);
    }
}
