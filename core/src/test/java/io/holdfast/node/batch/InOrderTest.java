package io.holdfast.node.batch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.Completed;
import io.holdfast.InStack;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;

class InOrderTest {

    private final InOrder order = new InOrder();

    @Test
    void run_earlierTaskIsUnderWay_waitsForItsEnd() {
        CompletableFuture<String> first = new CompletableFuture<>();
        CompletionStage<String> a = order.run(() -> first);
        CompletionStage<String> b = order.run(() -> CompletableFuture.completedFuture("b"));
        assertThat(b.toCompletableFuture()).isNotDone();

        first.complete("a");

        assertThat(a).isCompletedWithValue("a");
        assertThat(b).isCompletedWithValue("b");
    }

    @Test
    void run_manyTasksWait_needsNoStackForEach() {
        CompletableFuture<Integer> first = new CompletableFuture<>();
        order.run(() -> first);
        List<CompletionStage<Integer>> results = new ArrayList<>();
        for (int i = 0; i < 100_000; i++) {
            int number = i;
            results.add(order.run(() -> CompletableFuture.completedFuture(number)));
        }

        first.complete(0);

        assertThat(results.get(99_999)).isCompletedWithValue(99_999);
    }

    @Test
    void run_taskFails_runsTheNext() {
        CompletionStage<String> a = order.run(() -> CompletableFuture.failedFuture(new IllegalStateException("a")));
        CompletionStage<String> b = order.run(() -> {
            throw new LinkageError("b");
        });
        CompletionStage<String> c = order.run(() -> CompletableFuture.completedFuture("c"));

        assertThat(Completed.failure(a)).hasMessageContaining("a");
        assertThat(Completed.failure(b)).hasMessageContaining("b");
        assertThat(c).isCompletedWithValue("c");
    }

    /** The thread that is out of memory runs no more tasks; each later call runs on one that is not. */
    @Test
    void run_threadFailsInTheTaskOfAnother_failsThisTaskAndGoesOnWithTheNextCall() {
        List<CompletionStage<String>> others = new ArrayList<>();
        assertThatThrownBy(() -> order.run(() -> {
                    others.add(order.run(() -> {
                        throw new OutOfMemoryError("b");
                    }));
                    others.add(order.run(() -> CompletableFuture.completedFuture("c")));
                    return CompletableFuture.completedFuture("a");
                }))
                .isInstanceOf(OutOfMemoryError.class);

        CompletionStage<String> d = order.run(() -> CompletableFuture.completedFuture("d"));

        assertThat(Completed.failure(others.get(0))).hasMessageContaining("b");
        assertThat(others.get(1)).isCompletedWithValue("c");
        assertThat(d).isCompletedWithValue("d");
    }

    /** At some depth the stack is full at each of the steps. */
    @Test
    void run_anyDepthOfTheStack_servesTheNextCall() {
        for (int room = 1; room < 400; room++) {
            CompletableFuture<CompletionStage<String>> other = new CompletableFuture<>();
            InStack.withRoom(
                    room,
                    () -> order.run(() -> {
                        other.complete(order.run(() -> CompletableFuture.completedFuture("other")));
                        return CompletableFuture.completedFuture("own");
                    }));

            CompletionStage<String> next = order.run(() -> CompletableFuture.completedFuture("next"));

            assertThat(next).as("with room for " + room).isCompletedWithValue("next");
            CompletionStage<String> added = other.getNow(null);
            if (added != null) {
                assertThat(added.toCompletableFuture())
                        .as("with room for " + room)
                        .isDone();
            }
        }
    }

    @Test
    void call_stageOfAnEarlierCallIsOpen_isMadeAtOnce() {
        CompletableFuture<String> open = new CompletableFuture<>();
        CompletionStage<String> a = order.call(() -> open);

        CompletionStage<String> b = order.call(() -> CompletableFuture.completedFuture("b"));

        assertThat(b).isCompletedWithValue("b");
        open.complete("a");
        assertThat(a).isCompletedWithValue("a");
    }

    @Test
    void call_earlierTaskIsUnderWay_waitsForItsEnd() {
        CompletableFuture<String> first = new CompletableFuture<>();
        List<String> made = new ArrayList<>();
        order.run(() -> first);
        order.call(() -> CompletableFuture.completedFuture(made.add("a")));
        order.call(() -> CompletableFuture.completedFuture(made.add("b")));
        assertThat(made).isEmpty();

        first.complete("first");

        assertThat(made).containsExactly("a", "b");
    }

    @Test
    void call_anotherThreadAddsATask_runsItAfterTheCall() {
        List<String> made = new ArrayList<>();

        order.call(() -> {
            CompletableFuture.runAsync(() -> order.run(() -> CompletableFuture.completedFuture(made.add("b"))))
                    .join();
            return CompletableFuture.completedFuture(made.add("a"));
        });

        assertThat(made).containsExactly("a", "b");
    }

    @Test
    void call_throws_failsAndServesTheNext() {
        CompletionStage<String> a = order.call(() -> {
            throw new LinkageError("a");
        });

        assertThat(Completed.failure(a)).hasMessageContaining("a");
        assertThatThrownBy(() -> order.call(() -> {
                    throw new OutOfMemoryError("b");
                }))
                .isInstanceOf(OutOfMemoryError.class);
        assertThat(order.call(() -> CompletableFuture.completedFuture("c"))).isCompletedWithValue("c");
    }

    @Test
    void call_anyDepthOfTheStack_servesTheNextCall() {
        for (int room = 1; room < 400; room++) {
            InStack.withRoom(room, () -> order.call(() -> CompletableFuture.completedFuture("own")));

            assertThat(order.call(() -> CompletableFuture.completedFuture("next")))
                    .as("with room for " + room)
                    .isCompletedWithValue("next");
        }
    }
}
