package io.holdfast.node.batch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.InStack;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class InFlightTest {

    private final InFlight tasks = new InFlight(3);

    @Test
    void run_tooMany_beginsNone() {
        CompletableFuture<String> first = new CompletableFuture<>();
        Stream.of(first, new CompletableFuture<String>(), new CompletableFuture<String>())
                .forEach(task -> tasks.run(() -> task, () -> "too many"));

        CompletionStage<String> fourth = tasks.run(
                () -> {
                    throw new AssertionError("has begun");
                },
                () -> "too many");

        assertThat(fourth).isCompletedWithValue("too many");
        first.complete("done");
        assertThat(tasks.run(CompletableFuture::new, () -> "too many").toCompletableFuture())
                .isNotDone();
    }

    @Test
    void run_taskEnds_reportsTheEndWhenItIsNotCounted() {
        List<Integer> countAtEnd = new ArrayList<>();
        CompletableFuture<String> task = new CompletableFuture<>();
        tasks.run(() -> task, () -> "too many", (done, failure) -> countAtEnd.add(tasks.count()));
        tasks.run(
                () -> CompletableFuture.completedFuture("has ended"),
                () -> "too many",
                (done, failure) -> countAtEnd.add(-1));
        assertThat(countAtEnd).isEmpty();

        task.complete("done");

        assertThat(countAtEnd).containsExactly(0);
    }

    @Test
    void run_taskFails_isNotCounted() {
        CompletableFuture<String> task = new CompletableFuture<>();
        tasks.run(() -> task, () -> "too many");
        task.completeExceptionally(new IllegalStateException());

        assertThat(tasks.count()).isZero();
    }

    @Test
    void run_callThrows_isNotCounted() {
        assertThatThrownBy(() -> tasks.run(
                        () -> {
                            throw new OutOfMemoryError();
                        },
                        () -> "too many"))
                .isInstanceOf(OutOfMemoryError.class);

        assertThat(tasks.count()).isZero();
    }

    @Test
    void run_anyDepthOfTheStack_isNotCountedAfterwards() {
        for (int room = 1; room < 400; room++) {
            InStack.withRoom(room, () -> tasks.run(() -> CompletableFuture.completedFuture("done"), () -> "too many"));

            assertThat(tasks.count()).as("with room for " + room).isZero();
        }
    }
}
