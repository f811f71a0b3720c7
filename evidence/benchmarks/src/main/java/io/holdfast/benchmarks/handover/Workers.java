package io.holdfast.benchmarks.handover;

import io.holdfast.benchmarks.contestant.Library;
import io.holdfast.benchmarks.handover.Worker.Hold;
import io.holdfast.benchmarks.handover.Worker.Team;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** The processes of a {@link Worker} each, which all have the same teams. */
final class Workers implements AutoCloseable {

    private record Running(Process process, InputStream output) {}

    private final List<Running> all = new ArrayList<>();

    /** Starts the processes and returns when all of them have connected. */
    Workers(int count, Duration held, List<Team> teams) throws IOException {
        for (int number = 0; number < count; number++) {
            Process process = new ProcessBuilder(command(number, held, teams))
                    .redirectError(ProcessBuilder.Redirect.INHERIT)
                    .start();
            all.add(new Running(process, new BufferedInputStream(process.getInputStream())));
        }
        for (Running worker : all) {
            if (worker.output().read() != Worker.READY) {
                close();
                throw new IOException("A worker process has ended before it was connected; its error is above");
            }
        }
    }

    private static List<String> command(int number, Duration held, List<Team> teams) {
        List<String> command = new ArrayList<>(List.of(System.getProperty("java.home") + "/bin/java", "-Xmx512m"));
        command.addAll(Library.javaOptions());
        command.addAll(List.of(
                "-cp",
                System.getProperty("java.class.path"),
                Worker.class.getName(),
                Integer.toString(number),
                Long.toString(held.toNanos())));
        teams.stream().map(Team::argument).forEach(command::add);
        return command;
    }

    /** Lets all processes begin. */
    void begin(Schedule schedule) throws IOException {
        for (Running worker : all) {
            worker.process().getOutputStream().write((schedule + "\n").getBytes(StandardCharsets.US_ASCII));
            worker.process().getOutputStream().flush();
        }
    }

    /**
     * Waits until all processes have ended, and returns their holds.
     *
     * @throws IOException if one of them has failed
     */
    List<Hold> holds() throws IOException, InterruptedException {
        List<Hold> holds = new ArrayList<>();
        for (Running worker : all) {
            holds.addAll(Hold.readAll(worker.output()));
            if (worker.process().waitFor() != 0) {
                throw new IOException("A worker process has failed; its error is above");
            }
        }
        return holds;
    }

    @Override
    public void close() {
        all.forEach(worker -> worker.process().destroyForcibly());
    }
}
