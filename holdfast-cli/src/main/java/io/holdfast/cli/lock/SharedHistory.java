package io.holdfast.cli.lock;

import io.holdfast.Holdfast;
import io.holdfast.Lease;
import io.holdfast.LockOptions;
import io.holdfast.LockTimeoutException;
import io.holdfast.QuorumUnreachableException;
import io.holdfast.cli.history.PastRun;
import io.holdfast.cli.history.RunHistory;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * The history of the shared runs of a lock. Its holders would overwrite each other's record, so it is beside a lock of
 * its own, which each of them holds for the moment of a change.
 */
final class SharedHistory implements LockHistory {

    private static final LockOptions BRIEF = LockOptions.builder()
            .lease(Duration.ofSeconds(5))
            .waitLimit(Duration.ofSeconds(2))
            .unreachableLimit(Duration.ofSeconds(1))
            .build();

    private final Holdfast holdfast;
    private final String name;
    private final long fence;

    SharedHistory(Holdfast holdfast, Lease lease) {
        this.holdfast = holdfast;
        this.name = RunHistory.nameOfShared(lease.resource());
        this.fence = lease.fencingToken().value();
    }

    /** Has no effect: each change reads the history first. */
    @Override
    public void read() {}

    @Override
    public boolean isCompleteSince(Instant time) {
        return true;
    }

    @Override
    public boolean isLatest() {
        return true;
    }

    /** Returns nothing: {@code --once-per}, which asks for it, excludes shared runs. */
    @Override
    public Optional<RunHistory> history() {
        return Optional.empty();
    }

    @Override
    public boolean write(PastRun run, Duration keep, boolean marks) {
        try (Lease lease = holdfast.lock(name, BRIEF).acquire()) {
            LockHistory history = new ExclusiveHistory(lease);
            history.read();
            return history.isLatest() && history.write(run.under(fence), keep, marks);
        } catch (LockTimeoutException | QuorumUnreachableException | IllegalArgumentException e) {
            return false;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    @Override
    public void repair() {}
}
