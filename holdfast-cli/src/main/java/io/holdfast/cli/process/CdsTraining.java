package io.holdfast.cli.process;

import io.holdfast.cli.Main;
import io.holdfast.servers.RedisServers;

/**
 * Does once what a run does, on servers of its own, which it ends again. {@code bin/holdfast} has Java keep what that has loaded, so
 * that the runs to come need not load it again.
 */
public final class CdsTraining {

    private static final int NODES = 3;

    private CdsTraining() {}

    /** Exits with 0 if the run went well. */
    public static void main(String[] arguments) {
        int code;
        try (RedisServers servers = RedisServers.start(NODES)) {
            String nodes = String.join(",", servers.addresses());
            Main.execute("adopt", "--nodes", nodes);
            code = run(nodes);
        } catch (IllegalStateException noServer) {
            code = run("redis://127.0.0.1:1");
        }
        System.exit(code);
    }

    private static int run(String nodes) {
        return Main.execute("run", "rehearsal", "--wait", "2s", "--nodes", nodes, "--", "true");
    }
}
