package io.holdfast.cli.output;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.List;

/** The note that a holder writes on the nodes, so that others can find out who holds the lock. */
public final class HolderNote {

    private static final Path HOST_NAME = Path.of("/proc/sys/kernel/hostname");
    private static final int LONGEST_COMMAND = 60;

    private HolderNote() {}

    /** Describes this process and its command. Omits the arguments of the command, which may be secret. */
    public static String of(String command) {
        String program = command.length() > LONGEST_COMMAND ? command.substring(0, LONGEST_COMMAND) + "…" : command;
        return System.getProperty("user.name") + "@" + host() + ", pid "
                + ProcessHandle.current().pid() + ", since "
                + Instant.now().truncatedTo(ChronoUnit.SECONDS).atOffset(ZoneOffset.UTC) + ": "
                + program.replaceAll("\\p{Cntrl}", " ");
    }

    private static String host() {
        List<String> names = List.of(
                System.getenv().getOrDefault("HOSTNAME", ""), System.getenv().getOrDefault("COMPUTERNAME", ""));
        try {
            return Files.readString(HOST_NAME).strip();
        } catch (IOException noProc) {
            return names.stream().filter(name -> !name.isEmpty()).findFirst().orElse("unknown");
        }
    }
}
