package io.holdfast.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.Holdfast;
import io.holdfast.Lease;
import io.holdfast.cli.option.DetachedLeaseOptions;
import io.holdfast.cli.option.NodesOptions;
import io.holdfast.servers.PatientOptions;
import io.holdfast.servers.RedisServers;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** The command while its servers are being changed. */
@Tag("process")
@Execution(ExecutionMode.CONCURRENT)
class PreviousNodesTest {

    private static final int REFUSED = 75;
    private static final int FREE = 1;
    private static final int LEFT = 1;
    private static final int UNREACHABLE = 69;
    private static final int ERRORS = 2;

    @AutoClose
    private final RedisServers servers = RedisServers.start(2);

    @TempDir
    private Path directory;

    private List<String> address(int server) {
        return List.of(servers.addresses().get(server));
    }

    @Test
    void command_lockIsHeldOnEitherSet_isThatOfBoth() throws IOException, InterruptedException {
        PackagedCommand fromEnvironment = new PackagedCommand(directory)
                .with(NodesOptions.VARIABLE, address(0).get(0))
                .with(NodesOptions.PREVIOUS_VARIABLE, address(1).get(0));
        Files.createDirectory(directory.resolve("holdfast"));
        Files.writeString(
                directory.resolve("holdfast/config"),
                "nodes=" + address(0).get(0) + "\nprevious-nodes=" + address(1).get(0) + "\n");
        PackagedCommand fromFile = new PackagedCommand(directory);

        for (int server = 0; server < 2; server++) {
            try (Holdfast alone = Holdfast.connect(address(server), PatientOptions.CLIENT);
                    Lease held = alone.lock("a", PatientOptions.LOCK).acquire()) {
                assertThat(fromEnvironment.run("run", "a", "-n", "--", "true").code())
                        .isEqualTo(REFUSED);
                assertThat(fromFile.run("run", "a", "-n", "--", "true").code()).isEqualTo(REFUSED);
                assertThat(held.isValid()).isTrue();
                assertThat(fromEnvironment.run("status", "a").code()).isZero();
                assertThat(fromFile.run("list").out()).contains("'a'");
                assertThat(fromFile.run("break", "a", "--force").out())
                        .contains("broken")
                        .contains("was free");
                assertThat(fromFile.run("status", "a").code()).isEqualTo(FREE);
            }
        }
        assertThat(fromFile.run("run", "a", "-n", "--", "echo", "in"))
                .isEqualTo(new PackagedCommand.Result(0, "in\n", ""));
    }

    private PackagedCommand of(int present) {
        return new PackagedCommand(directory)
                .with(NodesOptions.VARIABLE, address(present).get(0));
    }

    @Test
    void nodes_lockOfThePreviousSet_isExtendedAndReleasedBeforeTheLastStep() {
        PackagedCommand ofPrevious = of(1);
        PackagedCommand ofPresent = of(0);
        PackagedCommand ofBoth =
                of(0).with(NodesOptions.PREVIOUS_VARIABLE, address(1).get(0));

        assertThat(ofBoth.run("nodes", "status").out()).contains("no step is taken");
        assertThat(ofBoth.run("nodes", "next").out())
                .contains("step 1 of 3", "give all clients both sets, then run `holdfast nodes next`");
        assertThat(ofPresent.run("run", "a", "-n", "--", "true").err())
                .contains("it accepts only clients that also have the set of 1 node");
        String handle = ofPrevious.run("acquire", "a", "--lease", "1m").out().strip();
        assertThat(ofBoth.run("nodes", "next").code()).isZero();
        assertThat(ofPrevious.run("run", "b", "-n", "--", "true").code()).isEqualTo(UNREACHABLE);

        PackagedCommand.Result left = ofBoth.run("nodes", "next");
        assertThat(left.code()).isEqualTo(LEFT);
        assertThat(left.out())
                .contains(
                        "held by a client of one set alone: 'a' is held",
                        "when these locks are released, run `holdfast nodes next`");
        assertThat(ofBoth.run("nodes", "status", "--json").out()).contains("\"left\":[\"a\"]");
        assertThat(ofBoth.run("nodes", "next", "--json").out()).contains("\"present\":\"both\"", "\"left\":[\"a\"]");

        PackagedCommand ofHolder = ofPrevious.with(DetachedLeaseOptions.VARIABLE, handle);
        assertThat(ofHolder.run("renew", "--lease", "1m").code()).isZero();
        assertThat(ofHolder.run("release").code()).isZero();
        assertThat(ofBoth.run("nodes", "next", "--wait", "1m").out())
                .contains("step 3 of 3", "give all clients the present set alone; when no client of both is left");
        assertThat(ofPresent.run("run", "a", "-n", "--", "echo", "in").out()).isEqualTo("in\n");
        assertThat(ofPrevious.run("run", "a", "-n", "--", "true").code()).isEqualTo(UNREACHABLE);

        assertThat(ofBoth.run("nodes", "back").out()).contains("step 2 of 3", "run `holdfast nodes back`");
        assertThat(ofBoth.run("nodes", "back").code()).isZero();
        assertThat(ofPrevious.run("run", "a", "-n", "--", "echo", "in").out()).isEqualTo("in\n");
    }

    @Test
    void nodes_oneSetOrServersDown_saysSo() {
        PackagedCommand.Result oneSet = of(0).run("nodes", "next");
        PackagedCommand unreachable = of(0).with(NodesOptions.PREVIOUS_VARIABLE, "redis://localhost:1");

        PackagedCommand.Result status = unreachable.run("nodes", "status", "--json");
        PackagedCommand.Result next = unreachable.run("nodes", "next");

        assertThat(oneSet.code()).isEqualTo(64);
        assertThat(oneSet.err()).contains("give it the previous one as well, with previousNodes or --previous-nodes");
        assertThat(status.code()).isEqualTo(UNREACHABLE);
        assertThat(status.out()).contains("\"previous\":null", "\"left\":null", "\"obstacle\":null");
        assertThat(next.code()).isEqualTo(UNREACHABLE);
        assertThat(next.err()).contains("only 0 of 1 servers have answered; redis://localhost:1: ");
    }

    /** The servers accept a client with a wrong previous set of the right size. */
    @Test
    void nodes_setWithoutTheChange_saysThatTheSetsDoNotFit() {
        PackagedCommand right =
                of(0).with(NodesOptions.PREVIOUS_VARIABLE, address(1).get(0));
        PackagedCommand wrong =
                of(0).with(NodesOptions.PREVIOUS_VARIABLE, address(1).get(0) + "/1");
        assertThat(right.run("nodes", "next").code()).isZero();

        PackagedCommand.Result status = wrong.run("nodes", "status");
        PackagedCommand.Result doctor = wrong.run("doctor");

        assertThat(status.code()).isEqualTo(UNREACHABLE);
        assertThat(status.out())
                .contains("the two sets do not fit: the servers redis://", "have no record of the change");
        assertThat(doctor.code()).isEqualTo(ERRORS);
        assertThat(doctor.out()).contains("--nodes and --previous-nodes do not fit: the servers redis://");
        assertThat(right.run("nodes", "status").code()).isZero();
    }

    /** Otherwise all is well, and no lock is granted. */
    @Test
    void doctor_previousServersAreDown_isAnError() {
        PackagedCommand both = of(0).with(NodesOptions.PREVIOUS_VARIABLE, "redis://localhost:1");

        PackagedCommand.Result result = both.run("doctor");

        assertThat(result.code()).isEqualTo(ERRORS);
        assertThat(result.out())
                .contains(
                        "redis://localhost:1 (previous)",
                        "1 of 1 server votes, and of the previous set 0 of 1 server vote; no lock can be taken: "
                                + "1 and 1 are needed");
        assertThat(both.run("doctor", "--json").out()).contains("\"previous\":{\"voting\":0,\"needed\":1,");
        assertThat(both.run("doctor", "--wait", "1ms").code()).isEqualTo(UNREACHABLE);
    }

    @Test
    void run_serverOfBothSets_exits64WithTheRemedy() {
        PackagedCommand.Result result = new PackagedCommand(directory)
                .run("run", "a", "--nodes", "redis://h:1", "--previous-nodes", "redis://h:1", "--", "true");

        assertThat(result.code()).isEqualTo(64);
        assertThat(result.err())
                .startsWith("holdfast: --nodes, --previous-nodes: The node redis://h:1 is in the present and in the"
                        + " previous set; let the server take part in the present one with another database");
    }
}
