package io.holdfast.cli.process;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * A process as {@code /proc/PID/stat} describes it. Java's own {@link ProcessHandle} knows neither groups nor sessions.
 *
 * @param pid the process id
 * @param state a letter, such as {@code Z} for a zombie
 * @param parent the process id of the parent
 * @param group the id of the process group
 * @param session the id of the session
 * @param threads the number of its threads that run; at most 1 for a zombie
 * @param start the time of the start, in ticks since the start of the machine; differs if a process id is used again
 */
public record ProcessStat(long pid, char state, long parent, long group, long session, int threads, long start) {

    private static final Path PROC = Path.of("/proc");
    private static final String STATES_AFTER_THE_END = "ZXx";

    /** Returns the process with this id, if it exists and this user may see it. */
    public static Optional<ProcessStat> of(long pid) {
        try {
            return read(PROC.resolve(Long.toString(pid)));
        } catch (IOException unknown) {
            return Optional.empty();
        }
    }

    /**
     * Reads a process; empty if it has ended, or if this user may not see it.
     *
     * @throws IOException if it cannot be read for another reason, such as a limit of open files
     */
    private static Optional<ProcessStat> read(Path process) throws IOException {
        String line;
        try {
            // ISO 8859-1 decodes any name of a program.
            line = Files.readString(process.resolve("stat"), StandardCharsets.ISO_8859_1);
        } catch (NoSuchFileException | AccessDeniedException none) {
            return Optional.empty();
        } catch (FileSystemException unknown) {
            throw unknown;
        } catch (IOException endedMeanwhile) {
            return Optional.empty();
        }
        return Optional.of(parse(Long.parseLong(process.getFileName().toString()), line));
    }

    /** Parses the line; the name of the program, in parentheses, may contain anything. */
    static ProcessStat parse(long pid, String line) {
        String[] fields = line.substring(line.lastIndexOf(')') + 2).split(" ", -1);
        return new ProcessStat(
                pid,
                fields[0].charAt(0),
                Long.parseLong(fields[1]),
                Long.parseLong(fields[2]),
                Long.parseLong(fields[3]),
                Integer.parseInt(fields[17]),
                Long.parseLong(fields[19]));
    }

    /**
     * Returns whether the process has ended and only its parent has not taken note of that. A process whose first
     * thread has ended looks the same, but has other threads.
     */
    public boolean hasEnded() {
        return STATES_AFTER_THE_END.indexOf(state) >= 0 && threads <= 1;
    }

    /** Adds all processes that have not ended; returns {@code false} if others may run. */
    static boolean addAllTo(List<ProcessStat> all) {
        return addAllTo(all, PROC);
    }

    static boolean addAllTo(List<ProcessStat> all, Path directory) {
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(directory, "[0-9]*")) {
            for (Path entry : entries) {
                read(entry).filter(process -> !process.hasEnded()).ifPresent(all::add);
            }
            return true;
        } catch (IOException | DirectoryIteratorException unreadable) {
            return false;
        }
    }

    /** Returns whether the environment with which the process started contains this definition of a variable. */
    boolean hasInEnvironment(String definition) {
        try {
            byte[] environment =
                    Files.readAllBytes(PROC.resolve(Long.toString(pid)).resolve("environ"));
            return new String(environment, StandardCharsets.ISO_8859_1).contains(definition);
        } catch (IOException endedOrForeign) {
            return false;
        }
    }
}
