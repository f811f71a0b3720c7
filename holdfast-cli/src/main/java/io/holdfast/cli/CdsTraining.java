package io.holdfast.cli;

import io.holdfast.cli.process.Launcher;
import io.holdfast.servers.RedisServers;
import java.io.ByteArrayInputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;

/**
 * A training run for class data sharing: executes {@code holdfast run} once on servers of its own. The launcher
 * {@code bin/holdfast} has Java archive the classes that this run loads, so that later starts need not load them.
 */
public final class CdsTraining {

    private static final int NODES = 3;

    private CdsTraining() {}

    /** Exits with 0 if the run succeeded. */
    public static void main(String[] arguments) {
        int code;
        try (RedisServers servers = RedisServers.start(NODES)) {
            String nodes = String.join(",", servers.addresses());
            Main.execute("admit", "--nodes", nodes);
            code = run(nodes);
        } catch (IllegalStateException noServer) {
            code = run("redis://127.0.0.1:1");
        }
        System.exit(code);
    }

    private static int run(String nodes) {
        String reports = Launcher.pretend();
        System.setIn(new ByteArrayInputStream(reports.getBytes(StandardCharsets.UTF_8)));
        System.setOut(new PrintStream(OutputStream.nullOutputStream()));
        return Main.execute("run", "cds-training", "--wait", "2s", "--nodes", nodes, "--", "true");
    }
}
