package io.holdfast.cli.report;

import io.holdfast.time.ThreadWait;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** The hooks of a run. The hook for the start runs beside the command, and has ended before another one begins. */
final class Hooks implements ReportListener {

    private final @Nullable Hook onStart;
    private final @Nullable Hook onSuccess;
    private final @Nullable Hook onFailure;
    private CompletableFuture<Void> startHook = CompletableFuture.completedFuture(null);

    Hooks(@Nullable Hook onStart, @Nullable Hook onSuccess, @Nullable Hook onFailure) {
        this.onStart = onStart;
        this.onSuccess = onSuccess;
        this.onFailure = onFailure;
    }

    @Override
    public void started(CommandReport start) {
        Hook hook = onStart;
        if (hook != null) {
            startHook = CompletableFuture.runAsync(() -> hook.run(start), Hooks::startThread);
        }
    }

    private static void startThread(Runnable task) {
        Thread thread = new Thread(task, "holdfast-hook");
        thread.setDaemon(true);
        thread.start();
    }

    @Override
    public void ended(CommandReport end) {
        Hook hook = end.outcome() == CommandReport.Outcome.SUCCESS ? onSuccess : onFailure;
        ThreadWait.join(ThreadWait::park, startHook);
        if (hook != null) {
            hook.run(end);
        }
    }
}
