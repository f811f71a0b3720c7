package io.holdfast;

/** What a user should know about the nodes that were given, once, when they are given. */
final class StartWarnings {

    private StartWarnings() {}

    static void log(int nodes, HoldfastOptions options) {
        if (nodes % 2 == 0) {
            Log.get()
                    .log(
                            System.Logger.Level.WARNING,
                            "An even number of nodes: {0} survive no more failures than {1} do; use {1} or {2}",
                            nodes,
                            nodes - 1,
                            nodes + 1);
        }
        if (options.restarts() == Restarts.AT_ONCE && nodes > 1) {
            Log.get()
                    .log(
                            System.Logger.Level.WARNING,
                            "Restarted nodes vote at once: after a restart two holders are possible, so use this for development"
                                    + " only");
        }
    }
}
