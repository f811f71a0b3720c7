package io.holdfast.cli.output;

import java.text.MessageFormat;
import java.util.ResourceBundle;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The logging of the library, printed on stderr like the messages of the command. Java finds this class by its entry in
 * {@code META-INF/services}; otherwise it would start java.util.logging, which takes longer than all other work of a
 * run.
 */
public final class LogFinder extends System.LoggerFinder {

    private static final String LIBRARY = "io.holdfast";

    /** Advice about the configuration belongs to `doctor`: cron would mail it at each run. */
    private static final String ADVICE = ".configuration";

    /** The begin of the message about a lost lock, which the command reports itself, with the consequence. */
    private static final String LOSS = "lease on '";

    private static volatile System.Logger.Level threshold = System.Logger.Level.OFF;

    private static volatile Consumer<String> output = message -> System.err.println("holdfast: " + message);

    /** Passes messages to this consumer instead of stderr. */
    static void sendTo(Consumer<String> consumer) {
        output = consumer;
    }

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
            boolean isHidden = name.endsWith(ADVICE) && threshold.getSeverity() > Level.INFO.getSeverity();
            return name.startsWith(LIBRARY)
                    && !isHidden
                    && level.getSeverity() >= threshold.getSeverity()
                    && threshold != Level.OFF;
        }

        @Override
        public void log(
                Level level, @Nullable ResourceBundle bundle, @Nullable String message, @Nullable Throwable thrown) {
            if (isLoggable(level) && !String.valueOf(message).startsWith(LOSS)) {
                output.accept(message + (thrown == null ? "" : ": " + thrown));
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
