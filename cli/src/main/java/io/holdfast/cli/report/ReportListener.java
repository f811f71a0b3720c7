package io.holdfast.cli.report;

/** Learns of the start and the end of a command. Neither method throws or changes the result of the run. */
interface ReportListener {

    /** Called when the command begins, while the lock is held; must not block. */
    void started(CommandReport start);

    /** Called when the command has ended and the lock has been released, or when the run failed before. */
    void ended(CommandReport end);

    /** Called when the command did not run, and that is no failure of this run: hooks ignore it. */
    default void notRun(CommandReport attempt) {}
}
