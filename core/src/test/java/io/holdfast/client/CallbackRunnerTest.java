package io.holdfast.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.time.VirtualTime;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class CallbackRunnerTest {

    private final VirtualTime time = new VirtualTime();
    private final List<String> ran = new ArrayList<>();

    /** As {@code ThreadPoolExecutor.CallerRunsPolicy} does when the queue is full. */
    @Test
    void execute_executorUsesTheCallingThread_runsTheTaskOnAThreadOfTheClient() {
        CallbackRunner callbacks = new CallbackRunner(Runnable::run, time);

        callbacks.execute(() -> ran.add("callback"));

        assertThat(ran).isEmpty();
        time.settle();
        assertThat(ran).containsExactly("callback");
    }

    @Test
    void execute_taskOfTheSamePoolThread_runsLaterOnThisThread() {
        List<Runnable> queue = new ArrayList<>();
        CallbackRunner callbacks = new CallbackRunner(queue::add, time);

        callbacks.execute(() -> ran.add("callback"));
        queue.get(0).run();

        assertThat(ran).containsExactly("callback");
    }

    @Test
    void execute_taskThrows_doesNotReachTheTimer() {
        CallbackRunner callbacks = new CallbackRunner(null, time);
        callbacks.execute(() -> {
            throw new IllegalStateException("by the test");
        });
        callbacks.execute(() -> ran.add("next"));

        time.settle();

        assertThat(ran).containsExactly("next");
    }
}
