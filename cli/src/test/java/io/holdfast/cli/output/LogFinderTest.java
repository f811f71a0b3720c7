package io.holdfast.cli.output;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.System.Logger.Level;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;

@Isolated("the threshold and the consumer belong to the whole process")
class LogFinderTest {

    private final List<String> printed = new ArrayList<>();
    private final System.Logger logger =
            new LogFinder().getLogger("io.holdfast.Holdfast", getClass().getModule());

    @AfterEach
    void reset() {
        LogFinder.setThreshold(Level.OFF);
        LogFinder.sendTo(message -> System.err.println("holdfast: " + message));
    }

    /** The stack trace is too long for a mail of cron, but the user needs the cause. */
    @Test
    void log_failure_namesItsCauseInOneLine() {
        LogFinder.sendTo(printed::add);
        LogFinder.setThreshold(Level.WARNING);

        logger.log(Level.ERROR, "A callback failed", new IllegalStateException("no disk space"));
        logger.log(Level.INFO, "hidden");

        assertThat(printed).containsExactly("A callback failed: java.lang.IllegalStateException: no disk space");
    }
}
