package io.holdfast.time;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.RejectedExecutionException;
import org.junit.jupiter.api.Test;

/** The repetition of a task, in virtual time. */
class WhileUsedTest {

    private static final Duration FIRST = Duration.ofMillis(100);
    private static final Duration INTERVAL = Duration.ofSeconds(1);

    private final VirtualTime virtual = new VirtualTime();
    /** The answers to whether the task is needed; {@code used} when there are none. */
    private final Deque<Boolean> answers = new ArrayDeque<>();

    private final List<Duration> runs = new ArrayList<>();
    private boolean used = true;
    private boolean noTimers;
    private Runnable task = () -> {};

    private final Time time = new ForwardingTime(virtual) {
        @Override
        public Timer schedule(Duration delay, Runnable task) {
            if (noTimers) {
                throw new RejectedExecutionException("no timers");
            }
            return super.schedule(delay, task);
        }
    };

    private final Moment begun = virtual.now();
    private final WhileUsed repetition =
            new WhileUsed(time, FIRST, INTERVAL, () -> answers.isEmpty() ? used : answers.remove(), () -> {
                runs.add(virtual.now().surelySince(begun));
                task.run();
            });

    @Test
    void begin_used_repeatsUntilUnused() {
        repetition.begin();
        repetition.begin();
        virtual.advance(Duration.ofSeconds(2));
        used = false;
        virtual.advance(Duration.ofMinutes(1));

        assertThat(runs).containsExactly(FIRST, FIRST.plus(INTERVAL));
    }

    @Test
    void begin_hasEnded_beginsAgain() {
        used = false;
        repetition.begin();
        virtual.advance(INTERVAL);
        used = true;
        repetition.begin();
        virtual.advance(FIRST);

        assertThat(runs).containsExactly(INTERVAL.plus(FIRST));
    }

    /** Another thread has added a use, and found that the task is repeated. */
    @Test
    void repeat_isUsedAgainWhileItEnds_goesOn() {
        answers.add(false);
        repetition.begin();
        virtual.advance(FIRST.multipliedBy(2));

        assertThat(runs).containsExactly(FIRST.multipliedBy(2));
    }

    @Test
    void repeat_taskThrows_isRepeated() {
        task = () -> {
            throw new StackOverflowError("no room");
        };
        repetition.begin();
        for (int run = 0; run < 2; run++) {
            try {
                virtual.advance(INTERVAL);
            } catch (StackOverflowError expected) {
                assertThat(expected).hasMessage("no room");
            }
        }

        assertThat(runs).hasSize(2);
    }

    @Test
    void begin_noTimerCanBeSet_theNextCallTriesAgain() {
        noTimers = true;
        repetition.begin();
        noTimers = false;
        repetition.begin();
        virtual.advance(FIRST);

        assertThat(runs).containsExactly(FIRST);
    }

    @Test
    void repeat_noTimerCanBeSet_runsAndCanBeginAgain() {
        repetition.begin();
        noTimers = true;
        virtual.advance(FIRST);
        noTimers = false;
        repetition.begin();
        virtual.advance(FIRST);

        assertThat(runs).containsExactly(FIRST, FIRST.multipliedBy(2));
    }
}
