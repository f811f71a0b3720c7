package io.holdfast.cli.output;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.List;

/** What a holder writes about itself on the nodes, for whoever asks who holds the lock. */
public final class HolderNote {

    private static final Path HOST_NAME = Path.of("/proc/sys/kernel/hostname");
    private static final int LONGEST_COMMAND = 60;

    private HolderNote() {}

    /** This process, and what it runs; no argument of that, which may be a secret. */
    public static String of(String command) {
        String program = command.length() > LONGEST_COMMAND ? command.substring(0, LONGEST_COMMAND) + "…" : command;
        return System.getProperty("user.name") + "@" + host() + ", pid "
                + ProcessHandle.current().pid() + ", since "
                + Instant.now().truncatedTo(ChronoUnit.SECONDS).atOffset(ZoneOffset.UTC) + ": "
                + program.replaceAll("\\p{Cntrl}", " ");
    }

    private static String host() {
        List<String> given = List.of(
                System.getenv().getOrDefault("HOSTNAME", ""), System.getenv().getOrDefault("COMPUTERNAME", ""));
        try {
            return Files.readString(HOST_NAME).strip();
        } catch (IOException noProc) {
            return given.stream().filter(name -> !name.isEmpty()).findFirst().orElse("unknown");
        }
    }
}
