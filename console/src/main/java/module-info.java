/** The console: a page and an HTTP API that show locks, waiters, jobs and nodes while they change. */
module io.holdfast.console {
    requires transitive io.holdfast.core;
    requires io.holdfast.jobs;
    requires jdk.httpserver;
    requires static transitive org.jspecify;

    exports io.holdfast.console;
}
