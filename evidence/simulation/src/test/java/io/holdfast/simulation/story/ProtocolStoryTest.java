package io.holdfast.simulation.story;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.simulation.Simulate;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;
import tools.jackson.databind.json.JsonMapper;

/** The sentences of the story describe what has happened. */
class ProtocolStoryTest {

    private static final Story STORY = ProtocolStory.run();
    private static final String A = "client-1";
    private static final String B = "client-2";

    private static Story.Step step(String beginning) {
        return STORY.steps().stream()
                .filter(step -> step.text().startsWith(beginning))
                .findFirst()
                .orElseThrow(() -> new AssertionError("no step begins with " + beginning));
    }

    private static Story.Client client(Story.Step step, String name) {
        return step.clients().stream()
                .filter(client -> client.name().equals(name))
                .findFirst()
                .orElseThrow();
    }

    private static long token(Story.Step step, String name) {
        return Objects.requireNonNull(client(step, name).token());
    }

    private static long messages(Story.Step step, String from, String kind, String reply) {
        return step.messages().stream()
                .filter(message -> message.from().equals(from)
                        && message.kind().equals(kind)
                        && reply.equals(String.valueOf(message.reply())))
                .count();
    }

    private static List<String> holders(Story.Step step) {
        return step.nodes().stream().map(node -> String.valueOf(node.holder())).toList();
    }

    @Test
    void run_twice_isTheSame() {
        assertThat(ProtocolStory.run()).isEqualTo(STORY);
    }

    @Test
    void simulate_story_isWrittenAsJson(@TempDir Path directory) {
        Path file = directory.resolve("story.json");

        int code = new CommandLine(new Simulate()).execute("--story", file.toString());

        assertThat(code).isZero();
        assertThat(new JsonMapper().readValue(file.toFile(), Story.class)).isEqualTo(STORY);
    }

    @Test
    void run_times_neverGoBack() {
        assertThat(STORY.steps()).extracting(Story.Step::atMillis).isSorted();
    }

    @Test
    void run_freeLock_isGrantedByAMajorityWithoutTheSlowerNodes() {
        assertThat(messages(step("Client A sends"), A, "acquire", "null")).isEqualTo(ProtocolStory.NODES);
        Story.Step granted = step("Three granted");
        assertThat(client(granted, A).state()).isEqualTo("holds");
        assertThat(messages(granted, A, "acquire", "granted")).isEqualTo(ProtocolStory.MAJORITY);
        assertThat(messages(granted, A, "acquire", "null")).isEqualTo(ProtocolStory.NODES - ProtocolStory.MAJORITY);
    }

    @Test
    void run_heldLock_secondClientIsQueuedOnEachNode() {
        Story.Step queued = step("Two threads");

        assertThat(queued.nodes()).allSatisfy(node -> assertThat(node.queue()).containsExactly(B));
        assertThat(client(queued, B)).isEqualTo(new Story.Client(B, "waits", null, 0, 2));
    }

    @Test
    void run_nodeCrashes_isInQuarantineAndThenVotesWithAFloor() {
        assertThat(step("Node 2 crashes").nodes().get(1).state()).isEqualTo("down");
        assertThat(step("Node 2 starts").nodes().get(1).state()).isEqualTo("quarantine");
        Story.Step renewed = step("After a third");
        assertThat(messages(renewed, A, "extend", "granted")).isEqualTo(4);
        assertThat(messages(renewed, A, "repair", "quarantined")).isOne();
        Story.Step votes = step("When every lease");
        assertThat(votes.nodes().get(1).state()).isEqualTo("votes");
        assertThat(votes.nodes().get(1).holder()).isNull();
        assertThat(votes.nodes().get(1).floor()).isGreaterThanOrEqualTo(token(votes, A));
        assertThat(votes.atMillis() - step("Node 2 starts").atMillis()).isGreaterThan((double) STORY.leaseMillis());
        Story.Step repaired = step("After its next");
        assertThat(messages(repaired, A, "repair", "granted")).isOne();
        assertThat(holders(repaired)).containsOnly(A);
    }

    @Test
    void run_release_notifiesTheWaiterAndGrantsAGreaterToken() {
        Story.Step released = step("A releases.");
        assertThat(released.nodes().stream().filter(node -> B.equals(node.reservedFor())))
                .hasSizeGreaterThanOrEqualTo(ProtocolStory.MAJORITY);
        assertThat(released.messages()).anyMatch(message -> message.kind().equals("notify"));
        Story.Step granted = step("A majority has notified");
        assertThat(client(granted, B).state()).isEqualTo("holds");
        assertThat(token(granted, B)).isGreaterThan(token(step("A writes to"), A));
    }

    @Test
    void run_handOver_needsNoMessage() {
        Story.Step handedOver = step("The first thread");

        assertThat(handedOver.messages()).isEmpty();
        assertThat(token(handedOver, B)).isGreaterThan(token(step("A majority has notified"), B));
    }

    @Test
    void run_pausedHolder_isReplacedAndItsWriteRejected() {
        assertThat(client(step("The process of B"), B).state()).isEqualTo("paused");
        Story.Step expired = step("The lease of B");
        assertThat(token(expired, A)).isGreaterThan(token(step("The first thread"), B));
        Story.Step rejected = step("B continues");
        assertThat(messages(rejected, B, "write", "rejected")).isOne();
        assertThat(client(rejected, B).state()).isEqualTo("lost");
        assertThat(rejected.resource()).isEqualTo(new Story.Resource(token(expired, A), 1));
    }

    @Test
    void run_standingClaim_isGrantedByTheReleaseWithoutAnotherClaim() {
        Story.Step waits = step("B wants the lock again");
        assertThat(messages(waits, B, "acquire", "refused")).isEqualTo(ProtocolStory.NODES);
        Story.Step handedOver = step("A releases soon");

        assertThat(client(handedOver, B).state()).isEqualTo("holds");
        assertThat(token(handedOver, B)).isGreaterThan(token(waits, A));
        assertThat(holders(handedOver).stream().filter(B::equals)).hasSizeGreaterThanOrEqualTo(ProtocolStory.MAJORITY);
        assertThat(handedOver.messages().stream()
                        .filter(message -> message.from().equals(B))
                        .map(Story.Message::kind))
                .doesNotContain("acquire");
        assertThat(handedOver.messages()).anyMatch(message -> message.kind().equals("grant"));
    }

    @Test
    void run_end_noNodeKeepsTheLock() {
        Story.Step end = STORY.steps().get(STORY.steps().size() - 1);

        assertThat(holders(end)).containsOnly("null");
    }
}
