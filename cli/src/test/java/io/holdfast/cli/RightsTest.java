package io.holdfast.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.cli.option.NodesOptions;
import io.holdfast.servers.RedisServers;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Runs the command as a Redis user with exactly the rights that the documents name. */
@Tag("process")
@Execution(ExecutionMode.CONCURRENT)
class RightsTest {

    private static final Pattern COMMANDS = Pattern.compile("`(\\+get [^`]*)`");
    private static final String KEYS = "resetkeys ~holdfast:* ~orders:* ~{orders:*";

    @AutoClose
    private final RedisServers servers = RedisServers.start(3);

    @TempDir
    private Path directory;

    private static String commandsIn(String document) throws IOException {
        Matcher commands = COMMANDS.matcher(Files.readString(Path.of("../docs").resolve(document)));
        assertThat(commands.find()).as("rights in %s", document).isTrue();
        return commands.group(1);
    }

    private static String documentedRights() throws IOException {
        return KEYS + " resetchannels &holdfast:inbox:* -@all " + commandsIn("operations.md");
    }

    private void forgetAdmission() {
        servers.forEach(server -> server.exec("DEL", "holdfast:marker"));
    }

    /** Makes a user of the servers. */
    private PackagedCommand commandOf(String rights, String parameter) {
        servers.forEach(server -> server.exec(("ACL SETUSER locker on >pw " + rights).split(" ")));
        String nodes = IntStream.range(0, servers.count())
                .mapToObj(i -> "redis://locker:pw@127.0.0.1:" + servers.get(i).port() + parameter)
                .collect(Collectors.joining(","));
        return new PackagedCommand(directory).with(NodesOptions.VARIABLE, nodes);
    }

    @Test
    void run_documentedRights_acquiresTheLock() throws IOException {
        assertThat(PackagedCommand.on(directory, servers)
                        .run("run", "orders:1", "--", "true")
                        .code())
                .as("the servers are admitted")
                .isZero();

        PackagedCommand.Result result = commandOf(documentedRights(), "").run("run", "orders:1", "--", "echo", "in");

        assertThat(result).isEqualTo(new PackagedCommand.Result(0, "in\n", ""));
    }

    /** A machine that needs longer than the lease to start a command loses the lock, and says so. */
    @Test
    @Tag("evidence")
    void run_documentedRights_endsTheQuarantineOfNewServers() throws IOException {
        String rights = documentedRights();
        forgetAdmission();
        PackagedCommand command = commandOf(rights, "");

        PackagedCommand.Result result =
                command.run("run", "orders:1", "--max-lease", "5s", "--lease", "5s", "-n", "--", "echo", "in");

        assertThat(result.out()).isEqualTo("in\n");
        assertThat(result.code()).isZero();
        servers.get(0).restartEmpty();
        servers.get(0).exec(("ACL SETUSER locker on >pw " + rights).split(" "));
        assertThat(command.run("doctor", "--max-lease", "5s").out()).contains("in quarantine");
    }

    /** The record of a run, its list and the state of a lock need commands that its claim does not. */
    @Test
    void run_documentedRightsWithoutScripts_acquiresTheLockAndRecordsTheRun() throws IOException {
        forgetAdmission();
        PackagedCommand command =
                commandOf(KEYS + " resetchannels -@all " + commandsIn("nodes.md"), "?locks=transactions");
        String[] run = "run orders:1 --restarts durable -n --once-per 1h -- echo in".split(" ");

        PackagedCommand.Result first = command.run(run);
        PackagedCommand.Result second = command.run(run);

        assertThat(first).isEqualTo(new PackagedCommand.Result(0, "in\n", ""));
        assertThat(second).isEqualTo(new PackagedCommand.Result(0, "", ""));
        assertThat(command.run("jobs").out()).contains("orders:1");
        assertThat(command.run("status", "orders:1").out()).contains("orders:1", "free");
    }

    @Test
    void run_otherKey_namesTheMissingPattern() throws IOException {
        PackagedCommand.Result result = commandOf(documentedRights(), "").run("run", "other", "-n", "--", "true");

        assertThat(result.code()).isEqualTo(69);
        assertThat(result.err()).contains("~other ~{other}:holdfast:* ~holdfast:*");
    }

    /** Such a user cannot end a quarantine, so to wait for its end would be to wait forever. */
    @Test
    void run_rightMissingForTheEndOfAQuarantine_exits69WithTheRight() throws IOException {
        forgetAdmission();

        PackagedCommand.Result result =
                commandOf(documentedRights().replace("+hset ", ""), "").run("run", "orders:1", "--", "true");

        assertThat(result.code()).isEqualTo(69);
        assertThat(result.err()).contains("NOPERM", "+hset");
    }
}
