package io.holdfast;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;

/**
 * The results of futures that a test in virtual time expects to be complete. One that is not fails the test, which
 * would otherwise wait for it on the only thread that could complete it.
 */
public final class Completed {

    private Completed() {}

    /** Returns the value of the future. */
    public static <T> T value(CompletionStage<T> stage) {
        CompletableFuture<T> future = stage.toCompletableFuture();
        assertThat(future).isCompleted();
        return future.join();
    }

    /** Returns the failure of the future, as the stage has thrown it. */
    public static Throwable failure(CompletionStage<?> stage) {
        CompletableFuture<?> future = stage.toCompletableFuture();
        assertThat(future).isCompletedExceptionally();
        Throwable failure = future.handle((value, thrown) -> thrown).join();
        return failure instanceof CompletionException wrapper ? Objects.requireNonNull(wrapper.getCause()) : failure;
    }
}
