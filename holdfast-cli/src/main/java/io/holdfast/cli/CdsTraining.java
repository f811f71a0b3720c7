package io.holdfast.cli;

import io.holdfast.cli.process.Launcher;
import io.holdfast.servers.RedisServers;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;

/**
 * A training run for class data sharing: executes {@code holdfast run} once on servers of its own. The launcher
 * {@code bin/holdfast} has Java archive the classes that are loaded here, so that later starts need not load them.
 */
public final class CdsTraining {

    private static final int NODES = 3;
    private static final String OWN_CLASSES = "io/holdfast/";
    private static final String CLASS = ".class";

    private CdsTraining() {}

    /** Exits with 0 if the run came to its end, whether or not it succeeded: the archive is complete then. */
    public static void main(String[] arguments) throws IOException, ClassNotFoundException {
        loadOwnClasses();
        try (RedisServers servers = RedisServers.start(NODES)) {
            String nodes = String.join(",", servers.addresses());
            Main.execute("admit", "--nodes", nodes);
            run(nodes);
        } catch (IllegalStateException noServer) {
            run("redis://127.0.0.1:1");
        }
        System.exit(0);
    }

    /** Loads all classes of Holdfast. A single one that is missing in the archive makes Java open and read the jar. */
    private static void loadOwnClasses() throws IOException, ClassNotFoundException {
        try (JarFile jar = new JarFile(System.getProperty("java.class.path"))) {
            for (JarEntry entry : Collections.list(jar.entries())) {
                String file = entry.getName();
                if (file.startsWith(OWN_CLASSES) && file.endsWith(CLASS)) {
                    String name = file.substring(0, file.length() - CLASS.length());
                    Class.forName(name.replace('/', '.'), false, CdsTraining.class.getClassLoader());
                }
            }
        }
    }

    private static void run(String nodes) {
        String reports = Launcher.pretend();
        System.setIn(new ByteArrayInputStream(reports.getBytes(StandardCharsets.UTF_8)));
        System.setOut(new PrintStream(OutputStream.nullOutputStream()));
        Main.execute("run", "cds-training", "--wait", "2s", "--nodes", nodes, "--", "true");
    }
}
