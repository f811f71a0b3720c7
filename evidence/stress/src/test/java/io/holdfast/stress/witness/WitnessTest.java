package io.holdfast.stress.witness;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Checks that every kind of violation is reported, and that permitted behavior is not. */
class WitnessTest {

    private final Findings findings = new Findings(line -> {});
    private final Witness witness = new Witness(findings);

    @Test
    void enter_lockIsHeld_isAnOverlap() {
        witness.enter("a", 1, 0, false, WitnessTest::inAnHour);

        witness.enter("a", 2, 0, false, WitnessTest::inAnHour);

        assertThat(kinds()).containsExactly(Kind.OVERLAP);
    }

    @Test
    void enter_readerBesideReader_isAllowed() {
        witness.enter("a", 1, 0, true, WitnessTest::inAnHour);

        witness.enter("a", 2, 0, true, WitnessTest::inAnHour);

        assertThat(kinds()).isEmpty();
    }

    @Test
    void enter_writerBesideReader_isAnOverlap() {
        witness.enter("a", 1, 0, true, WitnessTest::inAnHour);

        witness.enter("a", 2, 0, false, WitnessTest::inAnHour);

        assertThat(kinds()).containsExactly(Kind.OVERLAP);
    }

    @Test
    void enter_otherHasLeft_isAllowed() {
        witness.enter("a", 1, 0, false, WitnessTest::inAnHour).leave();

        witness.enter("a", 2, witness.floor("a"), false, WitnessTest::inAnHour);

        assertThat(kinds()).isEmpty();
    }

    @Test
    void enter_otherIsNoLongerValid_isAllowed() {
        witness.enter("a", 1, 0, false, System::nanoTime);

        witness.enter("a", 2, 0, false, WitnessTest::inAnHour);

        assertThat(kinds()).isEmpty();
    }

    @Test
    void enter_tokenBelowAnEarlierGrant_isOutOfOrder() {
        witness.enter("a", 5, 0, false, WitnessTest::inAnHour).leave();

        witness.enter("a", 4, witness.floor("a"), false, WitnessTest::inAnHour);

        assertThat(kinds()).containsExactly(Kind.TOKEN_ORDER);
    }

    @Test
    void enter_tokenBelowAConcurrentGrant_isAllowed() {
        long floor = witness.floor("a");
        witness.enter("a", 5, floor, false, WitnessTest::inAnHour).leave();

        witness.enter("a", 4, floor, false, WitnessTest::inAnHour);

        assertThat(kinds()).isEmpty();
    }

    @Test
    void enter_tokenWasGrantedBefore_isReported() {
        witness.enter("a", 5, 0, false, WitnessTest::inAnHour).leave();

        witness.enter("a", 5, 0, false, WitnessTest::inAnHour);

        assertThat(kinds()).containsExactly(Kind.TOKEN_TWICE);
    }

    @Test
    void attach_firstHolderIsInside_isAllowed() {
        witness.enter("a", 1, 0, false, WitnessTest::inAnHour);

        witness.attach("a", 1, System.nanoTime(), false, WitnessTest::inAnHour);

        assertThat(kinds()).isEmpty();
    }

    @Test
    void attach_afterTheRelease_isReported() {
        ObservedHold first = witness.enter("a", 1, 0, false, WitnessTest::inAnHour);
        first.leave();
        first.released();

        witness.attach("a", 1, System.nanoTime() + 1, false, WitnessTest::inAnHour);

        assertThat(kinds()).containsExactly(Kind.ATTACHED_AFTER_RELEASE);
    }

    @Test
    void attach_duringTheRelease_isAllowed() {
        ObservedHold first = witness.enter("a", 1, 0, false, WitnessTest::inAnHour);
        long begun = System.nanoTime();
        first.leave();
        first.released();

        witness.attach("a", 1, begun, false, WitnessTest::inAnHour);
        witness.enter("a", 2, 1, false, WitnessTest::inAnHour);

        assertThat(kinds()).isEmpty();
    }

    @Test
    void enterPool_allPermitsInUse_isReported() {
        witness.enterPool("p", 2, WitnessTest::inAnHour);
        witness.enterPool("p", 2, WitnessTest::inAnHour).leaveSingle();
        witness.enterPool("p", 2, WitnessTest::inAnHour);
        assertThat(kinds()).isEmpty();

        witness.enterPool("p", 2, WitnessTest::inAnHour);

        assertThat(kinds()).containsExactly(Kind.TOO_MANY);
    }

    @Test
    void sources_ofTheWitness_doNotUseTheLibrary() throws IOException {
        try (Stream<Path> files = Files.list(Path.of("src/main/java/io/holdfast/stress/witness"))) {
            assertThat(files.flatMap(WitnessTest::lines)).noneMatch(line -> line.startsWith("import io.holdfast"));
        }
    }

    private static long inAnHour() {
        return System.nanoTime() + 3_600_000_000_000L;
    }

    private static Stream<String> lines(Path file) {
        try {
            return Files.readAllLines(file).stream();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private List<Kind> kinds() {
        return findings.all().stream().map(Findings.Finding::kind).toList();
    }
}
