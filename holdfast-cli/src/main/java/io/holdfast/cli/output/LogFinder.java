package io.holdfast.cli.output;

import java.text.MessageFormat;
import java.util.ResourceBundle;
import org.jspecify.annotations.Nullable;

/**
 * What the library logs is shown on stderr, like the command's own words. Found by Java itself, by its entry in {@code
 * META-INF/services}; without it Java would start its own logging, which takes longer than all that a run does.
 */
public final class LogFinder extends System.LoggerFinder {

    private static final String OURS = "io.holdfast";

    private static volatile System.Logger.Level least = System.Logger.Level.OFF;

    /** From now on what is at least so important is shown. Until this is called, nothing is. */
    static void show(System.Logger.Level level) {
        least = level;
    }

    @Override
    public System.Logger getLogger(String name, Module module) {
        return new Lines(name);
    }

    private record Lines(String name) implements System.Logger {

        @Override
        public String getName() {
            return name;
        }

        @Override
        public boolean isLoggable(Level level) {
            return name.startsWith(OURS) && level.getSeverity() >= least.getSeverity() && least != Level.OFF;
        }

        @Override
        public void log(
                Level level, @Nullable ResourceBundle bundle, @Nullable String line, @Nullable Throwable thrown) {
            if (isLoggable(level)) {
                System.err.println("holdfast: " + line);
            }
        }

        @Override
        public void log(
                Level level,
                @Nullable ResourceBundle bundle,
                @Nullable String format,
                @Nullable Object @Nullable ... parameters) {
            if (isLoggable(level)) {
                boolean isPlain = format == null || parameters == null || parameters.length == 0;
                log(level, bundle, isPlain ? format : MessageFormat.format(format, parameters), (Throwable) null);
            }
        }
    }
}
