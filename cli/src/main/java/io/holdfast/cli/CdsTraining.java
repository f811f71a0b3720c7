package io.holdfast.cli;

import io.holdfast.cli.option.Credentials;
import io.holdfast.cli.process.Launcher;
import io.holdfast.servers.RedisServerOptions;
import io.holdfast.servers.RedisServers;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.stream.Collectors;

/**
 * A training run for class data sharing: executes {@code holdfast run} once on servers of its own. The launcher
 * {@code bin/holdfast} has Java archive the classes that are loaded here, so that later starts need not load them.
 */
public final class CdsTraining {

    private static final int NODES = 3;
    /**
     * The password of the servers, unless the launcher chooses another; with it, the classes of a login are archived.
     */
    private static final String PASSWORD = "training";

    private static final String OWN_CLASSES = "io/holdfast/";
    private static final String CLASS = ".class";

    private CdsTraining() {}

    /** Exits with 0 if the run came to its end, whether or not it succeeded: the archive is complete then. */
    public static void main(String[] arguments) throws IOException, ClassNotFoundException {
        loadOwnClasses();
        readOwner();
        String password = System.getenv().getOrDefault(Credentials.PASSWORD_VARIABLE, PASSWORD);
        RedisServerOptions options = RedisServerOptions.DEFAULT.withPassword(password);
        try (RedisServers servers = RedisServers.start(NODES, options)) {
            String nodes = servers.uris().stream()
                    .map(uri -> "redis://" + uri.getHost() + ":" + uri.getPort())
                    .collect(Collectors.joining(","));
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

    /** Loads the classes with which {@code --local} checks the directory of its servers. */
    private static void readOwner() throws IOException {
        Path self = Path.of("/proc/self");
        if (Files.exists(self)) {
            Files.getOwner(self);
            Files.getPosixFilePermissions(self);
            Files.getAttribute(self, "unix:uid");
        }
    }

    private static void run(String nodes) {
        String reports = Launcher.pretend();
        System.setIn(new ByteArrayInputStream(reports.getBytes(StandardCharsets.UTF_8)));
        System.setOut(new PrintStream(OutputStream.nullOutputStream()));
        Main.execute("run", "cds-training", "--wait", "2s", "--nodes", nodes, "--", "true");
    }
}
