package io.holdfast.scoreboard.witness;

import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * An event of a run.
 *
 * @param atNanos the time, by the clock of the witness, since the run began
 * @param client the number of the client, or -1 if the event is of the servers
 * @param token the fencing token of the client's hold, or {@link #NONE}
 * @param value the value that was read or written, or {@link #NONE}
 */
public record Event(long atNanos, int client, Kind kind, long token, long value) {

    /** The absence of a token or of a value. */
    public static final long NONE = -1;

    private static final Pattern EVENT = Pattern.compile("\"event\":\"(\\w+)\"");

    /** The kinds of events. */
    public enum Kind {
        /** The client asks for the lock. */
        ASKED,
        /** The client has acquired the lock. */
        GOT,
        /** The client could not acquire the lock, and tries again. */
        FAILED,
        READ,
        WROTE,
        /** The counter has refused a write, because it has seen a greater token. */
        REFUSED,
        /** The client was notified that it has lost the lock. */
        LOST,
        /** The client is about to release the lock. */
        RELEASED,
        /** The process of the client has ended. */
        GONE,
        /** The system has stopped the process of the client. */
        STOPPED,
        CONTINUED,
        /** The fault begins; the client is the one that holds the lock. */
        FAULT,
        /** The fault is over. */
        HEALED,
        /** The run is over. */
        ENDED
    }

    /** Returns the event as a line of JSON. */
    public String json() {
        StringBuilder line = new StringBuilder(
                "{\"ns\":" + atNanos + ",\"event\":\"" + kind.name().toLowerCase(Locale.ROOT) + "\"");
        if (client >= 0) {
            line.append(",\"client\":").append(client);
        }
        if (token != NONE) {
            line.append(",\"token\":").append(token);
        }
        if (value != NONE) {
            line.append(",\"value\":").append(value);
        }
        return line.append('}').toString();
    }

    /** Reads a line that {@link #json} has returned. */
    public static Event parse(String line) {
        Matcher event = EVENT.matcher(line);
        if (!event.find()) {
            throw new IllegalArgumentException("No event: " + line);
        }
        return new Event(
                number(line, "ns"),
                (int) number(line, "client"),
                Kind.valueOf(event.group(1).toUpperCase(Locale.ROOT)),
                number(line, "token"),
                number(line, "value"));
    }

    private static long number(String line, String name) {
        Matcher number = Pattern.compile("\"" + name + "\":(-?\\d+)").matcher(line);
        return number.find() ? Long.parseLong(number.group(1)) : NONE;
    }
}
