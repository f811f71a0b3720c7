package io.holdfast.spring.attribute;

import io.holdfast.LockOptions;
import java.time.Duration;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.config.ConfigurableBeanFactory;
import org.springframework.format.datetime.standard.DurationFormatterUtils;

/** Reads the durations of an annotation. */
public final class AnnotatedDuration {

    /** A number without a unit, which Spring would read as milliseconds. Only 0 needs none. */
    private static final Pattern NUMBER = Pattern.compile("[+-]?0*[1-9]\\d*");

    private static final String FOREVER = "forever";

    private AnnotatedDuration() {}

    /**
     * Returns the duration of an attribute; null if it is empty.
     *
     * @throws IllegalArgumentException if the text is no duration with a unit, or is negative
     */
    public static @Nullable Duration of(String attribute, String text, ConfigurableBeanFactory beans) {
        String resolved = LockName.withProperties(text, beans);
        return resolved.isBlank() ? null : parse(attribute, resolved);
    }

    /** Returns the limit of an attribute, which may be {@code forever}; null if it is empty; see {@link #of}. */
    public static @Nullable Duration limit(String attribute, String text, ConfigurableBeanFactory beans) {
        String resolved = LockName.withProperties(text, beans);
        return resolved.strip().equals(FOREVER) ? LockOptions.FOREVER : of(attribute, text, beans);
    }

    private static Duration parse(String attribute, String resolved) {
        if (NUMBER.matcher(resolved.strip()).matches()) {
            throw new IllegalArgumentException(
                    attribute + " '" + resolved + "' has no unit; write 500ms, 30s, 2m or 1h");
        }
        Duration duration = parsed(attribute, resolved);
        if (duration.isNegative()) {
            throw new IllegalArgumentException(
                    attribute + " '" + resolved + "' is negative; write 500ms, 30s, 2m or 1h");
        }
        return duration;
    }

    private static Duration parsed(String attribute, String text) {
        try {
            return DurationFormatterUtils.detectAndParse(text);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(
                    attribute + " '" + text + "' is no duration; write 500ms, 30s, 2m or 1h", e);
        }
    }
}
