package io.holdfast.cli.output;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.holdfast.Holdfast;
import io.holdfast.LockOptions;
import io.holdfast.LockTimeoutException;
import io.holdfast.node.memory.InMemoryNode;
import io.holdfast.time.VirtualTime;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

class FailureTextTest {

    private static final Duration WAIT = Duration.ofMillis(2_500);

    private final VirtualTime time = new VirtualTime();
    private final Holdfast holdfast = Holdfast.forTesting(List.of(new InMemoryNode("a", time)), time, new Random(1));

    private <T> T settled(Supplier<CompletableFuture<T>> action) {
        CompletableFuture<T> result = action.get();
        time.settle();
        return result.join();
    }

    /** Waits for the lock, which another client holds. */
    private LockTimeoutException failure() {
        LockOptions patient = LockOptions.builder().waitLimit(WAIT).build();
        CompletableFuture<?> waiter = holdfast.lock("report", patient).acquireAsync();
        time.advance(WAIT.plusMillis(1));
        time.settle();
        CompletionException failure = catchThrowableOfType(CompletionException.class, waiter::join);
        return (LockTimeoutException) Objects.requireNonNull(failure.getCause());
    }

    @Test
    void of_heldLockWithANote_namesTheHolderAndTheWait() {
        settled(() -> holdfast.lock("report").acquireAsync()).annotate("root@web3, pid 4066 (backup.sh)");
        LockTimeoutException failure = failure();

        assertThat(FailureText.of(failure, Optional.of(holdfast.admin().status("report"))))
                .isEqualTo("'report' is held by root@web3, pid 4066 (backup.sh); gave up after 2.5 s");
    }

    @Test
    void of_heldLockOfUnknownState_saysThatAnotherClientHoldsIt() {
        settled(() -> holdfast.lock("report").acquireAsync());

        assertThat(FailureText.of(failure(), Optional.empty()))
                .isEqualTo("'report' is held by another client; gave up after 2.5 s");
    }
}
