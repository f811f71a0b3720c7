package io.holdfast.cli.demo;

/**
 * An event of a demonstration.
 *
 * @param subject the worker or the server, or {@code ""} if it concerns none of them
 * @param change what happened to it, or {@code ""}
 * @param text a line for a reader, or {@code ""} if none is printed
 */
record DemoEvent(String subject, String change, String text) {

    static DemoEvent of(String text) {
        return new DemoEvent("", "", text);
    }

    static DemoEvent ofServer(int number, String change, String text) {
        return new DemoEvent("server " + number, change, "-- " + text);
    }

    static DemoEvent ofWorker(String name, String change, String text) {
        return new DemoEvent("worker " + name, change, text.isEmpty() ? "" : "worker " + name + " " + text);
    }
}
