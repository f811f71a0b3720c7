package io.holdfast.cli.process;

import io.holdfast.node.Diagnosis;
import io.holdfast.node.Diagnosis.Finding;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The programs and files of this machine that {@code holdfast run} needs.
 *
 * @param java the version of Java
 * @param shell the name of the program that {@code /bin/sh} is
 * @param setsid whether there is {@code setsid}
 * @param defaultSignals whether {@code env} has the option {@code --default-signal}
 * @param proc whether {@code /proc} is mounted
 * @param archive whether Java has a class archive that fits
 * @param library the directory of the class archive
 * @param writable whether this user may write to that directory
 */
public record Machine(
        String java,
        String shell,
        boolean setsid,
        boolean defaultSignals,
        boolean proc,
        boolean archive,
        String library,
        boolean writable) {

    private static final List<String> ARCHIVE_OPTIONS = List.of("-XX:SharedArchiveFile=", "-XX:AOTCache=");

    /** Returns what this machine has. */
    public static Machine inspect() {
        Path jar =
                Path.of(System.getProperty("java.class.path", "holdfast.jar")).toAbsolutePath();
        Path library = Optional.ofNullable(jar.getParent()).orElse(jar);
        return new Machine(
                System.getProperty("java.version", "unknown"),
                nameOfShell(),
                succeeds("setsid", "true"),
                succeeds("env", "--default-signal=INT,QUIT", "true"),
                Files.isReadable(Path.of("/proc/self/stat")),
                isArchived(jar),
                library.toString(),
                Files.isWritable(library));
    }

    private static String nameOfShell() {
        try {
            return Path.of("/bin/sh").toRealPath().getFileName().toString();
        } catch (IOException e) {
            return "sh";
        }
    }

    private static boolean succeeds(String... program) {
        try {
            return new ProcessBuilder(program)
                            .redirectInput(ProcessBuilder.Redirect.from(
                                    Path.of("/dev/null").toFile()))
                            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                            .redirectError(ProcessBuilder.Redirect.DISCARD)
                            .start()
                            .waitFor()
                    == 0;
        } catch (IOException notFound) {
            return false;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    /** Returns whether the archive that the launcher has named can be read and was made from this jar. */
    private static boolean isArchived(Path jar) {
        String[] options = ProcessHandle.current().info().arguments().orElse(new String[0]);
        return Stream.of(options)
                .flatMap(option -> ARCHIVE_OPTIONS.stream()
                        .filter(option::startsWith)
                        .map(prefix -> option.substring(prefix.length())))
                .anyMatch(file -> fits(file, jar));
    }

    private static boolean fits(String archive, Path jar) {
        try {
            Path file = Path.of(archive);
            return Files.isReadable(file)
                    && Files.size(file) > 0
                    && Files.getLastModifiedTime(file).equals(Files.getLastModifiedTime(jar));
        } catch (IOException | InvalidPathException missing) {
            return false;
        }
    }

    /** Returns what is missing, what each costs, and the remedies. */
    public Diagnosis diagnosis() {
        Map<String, Object> facts = new LinkedHashMap<>();
        facts.put("java", java);
        facts.put("shell", shell);
        facts.put("classArchive", archive);
        List<Finding> findings = new ArrayList<>();
        boolean isBash = shell.equals("bash");
        if (!proc) {
            findings.add(Finding.error(
                    "/proc is not mounted: 'holdfast run' cannot find the processes of its command, and exits with 125",
                    "mount it"));
        }
        if (!setsid) {
            findings.add(Finding.warning(
                    "no setsid: without a terminal, the command of 'holdfast run' gets no session of its own, so a"
                            + " process without the variable HOLDFAST_OWNER may run on beside the next holder",
                    "install util-linux, or BusyBox with setsid"));
        }
        if (!defaultSignals && !isBash) {
            findings.add(Finding.warning(
                    "no 'env --default-signal': without a terminal, the command of 'holdfast run' ignores INT and QUIT;"
                            + " at one, a TERM to 'holdfast' itself ends both, with 143",
                    "install coreutils 8.31 or later"));
        }
        if (!archive) {
            findings.add(Finding.note(
                    "no class archive for this Java: each start takes about twice as long",
                    writable
                            ? "none; the next start makes it in " + library
                            : "run 'holdfast version' once as a user who may write to " + library));
        }
        return new Diagnosis(facts, findings);
    }
}
