package io.holdfast.testkit;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Processes of this Java with the class path of the test, which log nothing. */
public final class JavaProcess {

    private JavaProcess() {}

    /**
     * Returns a process that has not started.
     *
     * @param options further options of Java
     * @param program the class with the main method
     */
    public static ProcessBuilder of(List<String> options, Class<?> program, List<String> arguments) {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                // A Java with G1 never ends if one of its threads could not start, which the suites make happen.
                "-XX:+UseSerialGC",
                // Java warns on stdout of each thread that cannot start, and blocks once that pipe is full.
                "-Xlog:disable",
                // Newer versions of Java warn of native methods, as Netty has them.
                "--enable-native-access=ALL-UNNAMED",
                "-Djava.util.logging.config.file=/dev/null"));
        command.addAll(options);
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), program.getName()));
        command.addAll(arguments);
        return new ProcessBuilder(command);
    }
}
