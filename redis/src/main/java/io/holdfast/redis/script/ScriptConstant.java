package io.holdfast.redis.script;

import io.holdfast.lease.FenceRules;
import io.holdfast.lease.Owner;
import io.holdfast.node.Claim;
import io.holdfast.node.WaitTicket;
import io.holdfast.node.WakeUp;
import io.holdfast.redis.keys.Keys;
import io.holdfast.redis.keys.ReplyParser;
import io.holdfast.time.Durations;

/** A constant that scripts share with Java. The line {@code -- @constant NAME} of a script declares it. */
enum ScriptConstant {
    FENCE_MILLIS(FenceRules.LIFE.toMillis()),
    PERIOD_MICROS(Durations.toMicros(FenceRules.PERIOD)),
    MAX_LEAD_MICROS(Durations.toMicros(FenceRules.MAX_LEAD)),
    GMAX_STEP_MICROS(Durations.toMicros(FenceRules.BOUND_STEP)),
    QUEUE_MILLIS(WaitTicket.QUEUE_LIFE.toMillis()),
    RESERVATION_MILLIS(WakeUp.RESERVATION.toMillis()),
    CLAIMS_MILLIS(Claim.LONGEST_STANDING_AGE.toMillis()),
    SHARE_PREFIX(WaitTicket.SHARE_PREFIX),
    SHARED(Owner.SHARED),
    RETAINED(Owner.RETAINED),
    INBOX_PREFIX(Keys.INBOX_PREFIX),
    GRANTED_PREFIX(ReplyParser.GRANTED_PREFIX);

    private final String literal;

    ScriptConstant(long number) {
        literal = Long.toString(number);
    }

    ScriptConstant(String text) {
        literal = "'" + text + "'";
    }

    /** Returns the value as Lua writes it. */
    String literal() {
        return literal;
    }

    /** Returns the line of Lua that declares the constant. */
    String declaration() {
        return "local " + name() + " = " + literal + "\n";
    }
}
