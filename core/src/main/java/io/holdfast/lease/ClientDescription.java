package io.holdfast.lease;

import java.io.IOException;
import java.io.Serializable;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The description of a client, by which others see who holds a lock and who waits for it. Any user of the nodes can
 * write one, so it is a hint and no proof. Immutable.
 *
 * @param name the application and its machine, such as {@code orders@pod-7}; control characters become blanks, and a
 *     text of more than 100 characters is cut
 * @param pid the process id
 * @param since when the client was created, by the clock of its machine
 */
public record ClientDescription(String name, long pid, Instant since) implements Serializable {

    /** The version of the protocol of the nodes that this client speaks. A later version sees who speaks this one. */
    public static final int PROTOCOL = 1;

    private static final long serialVersionUID = 1L;

    private static final int LONGEST_NAME = 100;
    private static final Pattern UNPRINTABLE = Pattern.compile("[\\p{Cc}\\p{Cs}]");
    private static final String FIELD_END = "\t";
    private static final int FIELDS = 3;
    private static final Path HOST_NAME = Path.of("/proc/sys/kernel/hostname");

    /** Creates a description. */
    public ClientDescription {
        name = shortened(name, LONGEST_NAME);
    }

    /**
     * Describes a client of this process.
     *
     * @param since the present
     */
    public static ClientDescription ofThisProcess(String name, Instant since) {
        return new ClientDescription(name, ProcessHandle.current().pid(), since);
    }

    /**
     * Returns a text for the nodes and for people: control characters become blanks, and a longer text is cut. Never
     * cuts a character in half, which the nodes could not store.
     *
     * @param longest the greatest number of characters, without the three dots after a text that is cut
     */
    public static String shortened(String text, int longest) {
        String printable = UNPRINTABLE.matcher(text).replaceAll(" ");
        if (printable.length() <= longest) {
            return printable;
        }
        boolean isInPair = Character.isLowSurrogate(printable.charAt(longest));
        return printable.substring(0, isInPair ? longest - 1 : longest) + "...";
    }

    /** Returns the main class or archive of this process, as it was given to Java. */
    public static String mainProgram() {
        String command = System.getProperty("sun.java.command", "");
        return command.isEmpty() ? "java" : command.split(" ", 2)[0];
    }

    /** Returns the main class or archive of this process, and its machine, such as {@code orders.jar@pod-7}. */
    public static String defaultName() {
        String program = mainProgram();
        String file = program.substring(program.lastIndexOf('/') + 1);
        return (file.endsWith(".jar") ? file : file.substring(file.lastIndexOf('.') + 1)) + "@" + host();
    }

    /** Returns the name of this machine. */
    public static String host() {
        try {
            return Files.readString(HOST_NAME).strip();
        } catch (IOException notLinux) {
            return Stream.of("HOSTNAME", "COMPUTERNAME")
                    .flatMap(variable -> Optional.ofNullable(System.getenv(variable)).stream())
                    .filter(name -> !name.isEmpty())
                    .findFirst()
                    .orElse("unknown");
        }
    }

    /** Returns the description in a text from a node; empty if it is none. Ignores fields that were added since. */
    public static Optional<ClientDescription> parse(String text) {
        String[] fields = text.split(FIELD_END, -1);
        try {
            return fields.length < FIELDS
                    ? Optional.empty()
                    : Optional.of(new ClientDescription(
                            fields[0], Long.parseLong(fields[1]), Instant.ofEpochMilli(Long.parseLong(fields[2]))));
        } catch (NumberFormatException malformed) {
            return Optional.empty();
        }
    }

    /** Returns the text that the nodes store. */
    public String text() {
        return String.join(
                FIELD_END, name, Long.toString(pid), Long.toString(since.toEpochMilli()), Integer.toString(PROTOCOL));
    }

    /** Returns the name and the process id, such as {@code orders@pod-7, pid 12}. */
    @Override
    public String toString() {
        return name + ", pid " + pid;
    }
}
