package io.holdfast.cli.output;

import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.Locale;

/** Moments in messages, in the time zone of the reader. */
public final class TimeText {

    private static final DateTimeFormatter FORMAT = DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss", Locale.ROOT);

    private TimeText() {}

    /** Returns a moment such as {@code 2026-11-22 03:08:21}. */
    public static String of(Instant time) {
        return LocalDateTime.ofInstant(time, ZoneId.systemDefault()).format(FORMAT);
    }
}
