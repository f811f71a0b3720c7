package io.holdfast.cli;

import static io.holdfast.servers.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Tests shared locks, slots and several locks of {@code holdfast run} as processes on real servers. */
@Tag("process")
@Execution(ExecutionMode.CONCURRENT)
class LockChoiceTest extends CommandOnServers {

    /** Starts a command with these words before the dashes; it runs until {@link #end}. */
    private PackagedCommand.Running hold(String number, String... words) {
        String[] all = new String[words.length + 5];
        all[0] = "run";
        System.arraycopy(words, 0, all, 1, words.length);
        all[words.length + 1] = "--";
        all[words.length + 2] = "sh";
        all[words.length + 3] = "-c";
        all[words.length + 4] = "echo \"$HOLDFAST_RESOURCE\" >in" + number + "; until [ -e end ]; do sleep 0.02; done";
        PackagedCommand.Running running = command().start(all);
        eventually(
                "it runs",
                () -> Files.exists(directory.resolve("in" + number))
                        && Files.size(directory.resolve("in" + number)) > 0);
        return running;
    }

    private void end(PackagedCommand.Running... holders) {
        try {
            Files.writeString(directory.resolve("end"), "");
        } catch (IOException e) {
            throw new AssertionError(e);
        }
        for (PackagedCommand.Running holder : holders) {
            assertThat(holder.end()).isEqualTo(new PackagedCommand.Result(0, "", ""));
        }
    }

    @Test
    void run_shared_admitsOthersThatShare() {
        PackagedCommand.Running reader = hold("1", name, "-s");

        assertThat(command().run("run", name, "-s", "-n", "--", "echo", "in").out())
                .isEqualTo("in\n");
        assertThat(command().run("run", name, "-n", "--", "echo", "in").code()).isEqualTo(75);
        end(reader);
        assertThat(command().run("run", name, "-n", "--", "echo", "in").out()).isEqualTo("in\n");
    }

    @Test
    void run_slots_admitsThatManyRuns() throws IOException {
        PackagedCommand.Running first = hold("1", name, "--slots", "2");
        PackagedCommand.Running second = hold("2", name, "--slots", "2");

        PackagedCommand.Result late = command().run("run", name, "--slots", "2", "-n", "-v", "--", "echo", "in");
        assertThat(late.code()).isEqualTo(75);
        assertThat(late.err()).contains("'" + name + "/", "is held by");
        assertThat(Files.readString(directory.resolve("in1")) + Files.readString(directory.resolve("in2")))
                .contains(name + "/1\n", name + "/2\n");
        end(first, second);
        assertThat(command()
                        .run("run", name, "--slots", "2", "-n", "--", "echo", "in")
                        .out())
                .isEqualTo("in\n");
    }

    @Test
    void run_severalNames_setsTheEnvironmentInTheirOrder() {
        PackagedCommand.Result result = command()
                .run(
                        "run",
                        name + "-b",
                        "--lease",
                        "50s",
                        name + "-a",
                        "--",
                        "sh",
                        "-c",
                        "echo \"$HOLDFAST_RESOURCE\"; echo \"$HOLDFAST_FENCE $HOLDFAST_OWNER\"; "
                                + "echo \"$HOLDFAST_HELD\"");

        String[] lines = result.out().split("\n", -1);
        assertThat(lines[0]).isEqualTo(name + "-a");
        assertThat(lines[1]).isEqualTo(name + "-b");
        assertThat(lines[2]).matches("\\d+,\\d+ [^\\s,]+,[^\\s,]+");
        assertThat(lines[3]).endsWith(" " + name + "-a");
        assertThat(lines[4]).endsWith(" " + name + "-b");
        // A busy server may miss the record of one run.
        eventually("both locks have a record", () -> {
            command().run("run", name + "-a", name + "-b", "--", "true");
            return command().run("log", name + "-b").out().contains("exit 0")
                    && command().run("log", name + "-a", "--json").out().contains("\"running\":false");
        });
    }

    @Test
    void run_oneOfSeveralIsHeld_holdsNone() {
        PackagedCommand.Running holder = hold("1", name + "-b");

        assertThat(command()
                        .run("run", name + "-a", name + "-b", "-n", "--", "echo", "in")
                        .code())
                .isEqualTo(75);
        assertThat(command().run("run", name + "-a", "-n", "--", "echo", "in").out())
                .isEqualTo("in\n");
        end(holder);
    }

    @Test
    void run_oneOfSeveralIsLost_endsTheCommand() {
        PackagedCommand.Result result = command()
                .run(
                        "run",
                        name + "-a",
                        name + "-b",
                        "--",
                        "sh",
                        "-c",
                        PackagedCommand.LAUNCHER + " break " + name + "-b --force >/dev/null 2>&1; sleep 1000");

        assertThat(result.code()).isEqualTo(76);
        assertThat(result.err()).contains("lost the lock '" + name + "-b'").doesNotContain(name + "-a'");
        assertThat(command().run("run", name + "-a", "-n", "--", "echo", "in").out())
                .isEqualTo("in\n");
        assertThat(command().run("log", name + "-a").out()).contains("lock lost");
    }

    @Test
    @Tag("evidence")
    void run_lockIsLostDuringTheWaitForTheNext_acquiresAllAgain() {
        PackagedCommand.Running holder = hold("1", name + "-b");
        PackagedCommand.Running waiter =
                command().start("run", name + "-a", name + "-b", "--lease", "1s", "--", "echo", "in");
        eventually(
                "it holds the first lock",
                () -> command().run("run", name + "-a", "-n", "--", "true").code() == 75);

        assertThat(command().run("break", name + "-a", "--force").code()).isZero();
        // The broken lease of one second ends meanwhile.
        assertThat(command()
                        .run("run", name + "-c", "--hold-at-least", "2s", "--", "true")
                        .code())
                .isZero();
        end(holder);

        assertThat(waiter.end()).isEqualTo(new PackagedCommand.Result(0, "in\n", ""));
    }

    @Test
    void run_lockOfTheEnclosingRun_isRefused() {
        String inner = PackagedCommand.LAUNCHER + " run " + name + "-b -- true";

        PackagedCommand.Result several = command().run("run", name + "-a", name + "-b", "--", "sh", "-c", inner);
        PackagedCommand.Result slot = command()
                .run(("run " + name + " --slots 1 -- " + PackagedCommand.LAUNCHER + " run " + name
                                + " --slots 1 -- true")
                        .split(" "));
        PackagedCommand.Result other = command()
                .run(("run " + name + " --slots 2 -- " + PackagedCommand.LAUNCHER + " run " + name
                                + " --slots 2 -- true")
                        .split(" "));

        assertThat(several.code()).isEqualTo(64);
        assertThat(several.err()).contains("'" + name + "-b' is held by the enclosing");
        assertThat(slot.code()).isEqualTo(64);
        assertThat(other.code()).isZero();
    }

    /** A run without -s that waits for the outer run would have precedence over the inner one. */
    @Test
    void run_sharedLockOfTheEnclosingSharedRun_isRefusedWithTheReason() {
        PackagedCommand.Result result = command()
                .run(("run " + name + " -s -- " + PackagedCommand.LAUNCHER + " run " + name + " -s -- true")
                        .split(" "));

        assertThat(result.code()).isEqualTo(64);
        assertThat(result.err()).contains("could wait forever, behind a run without -s; omit the inner one");
    }

    @Test
    void run_sameNameTwice_isLockedOnce() {
        assertThat(command()
                        .run("run", name, name, "--", "sh", "-c", "echo \"$HOLDFAST_RESOURCE\"")
                        .out())
                .isEqualTo(name + "\n");
    }
}
