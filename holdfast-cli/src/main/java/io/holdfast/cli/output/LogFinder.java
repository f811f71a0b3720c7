package io.holdfast.cli.output;

import java.text.MessageFormat;
import java.util.ResourceBundle;
import org.jspecify.annotations.Nullable;

/**
 * The logging of the library, printed on stderr like the messages of the command. Java finds this class by its entry in
 * {@code META-INF/services}; otherwise it would start java.util.logging, which takes longer than all other work of a
 * run.
 */
public final class LogFinder extends System.LoggerFinder {

    private static final String LIBRARY = "io.holdfast";

    private static volatile System.Logger.Level threshold = System.Logger.Level.OFF;

    /** Prints messages of at least this level; before the first call, none are printed. */
    static void setThreshold(System.Logger.Level level) {
        threshold = level;
    }

    @Override
    public System.Logger getLogger(String name, Module module) {
        return new StderrLogger(name);
    }

    private record StderrLogger(String name) implements System.Logger {

        @Override
        public String getName() {
            return name;
        }

        @Override
        public boolean isLoggable(Level level) {
            return name.startsWith(LIBRARY) && level.getSeverity() >= threshold.getSeverity() && threshold != Level.OFF;
        }

        @Override
        public void log(
                Level level, @Nullable ResourceBundle bundle, @Nullable String message, @Nullable Throwable thrown) {
            if (isLoggable(level)) {
                System.err.println("holdfast: " + message);
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
