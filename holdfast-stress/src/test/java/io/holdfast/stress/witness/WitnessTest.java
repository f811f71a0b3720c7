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
        witness.enter("a", 1, 0, false, WitnessTest::inASecond);

        witness.enter("a", 2, 0, false, WitnessTest::inASecond);

        assertThat(kinds()).containsExactly(Kind.OVERLAP);
    }

    @Test
    void enter_readerBesideReader_isAllowed() {
        witness.enter("a", 1, 0, true, WitnessTest::inASecond);

        witness.enter("a", 2, 0, true, WitnessTest::inASecond);

        assertThat(kinds()).isEmpty();
    }

    @Test
    void enter_writerBesideReader_isAnOverlap() {
        witness.enter("a", 1, 0, true, WitnessTest::inASecond);

        witness.enter("a", 2, 0, false, WitnessTest::inASecond);

        assertThat(kinds()).containsExactly(Kind.OVERLAP);
    }

    @Test
    void enter_otherHasLeft_isAllowed() {
        witness.enter("a", 1, 0, false, WitnessTest::inASecond).leave();

        witness.enter("a", 2, witness.floor("a"), false, WitnessTest::inASecond);

        assertThat(kinds()).isEmpty();
    }

    @Test
    void enter_otherIsNoLongerValid_isAllowed() {
        witness.enter("a", 1, 0, false, System::nanoTime);

        witness.enter("a", 2, 0, false, WitnessTest::inASecond);

        assertThat(kinds()).isEmpty();
    }

    @Test
    void enter_tokenBelowAnEarlierGrant_isOutOfOrder() {
        witness.enter("a", 5, 0, false, WitnessTest::inASecond).leave();

        witness.enter("a", 4, witness.floor("a"), false, WitnessTest::inASecond);

        assertThat(kinds()).containsExactly(Kind.TOKEN_ORDER);
    }

    @Test
    void enter_tokenBelowAConcurrentGrant_isAllowed() {
        long floor = witness.floor("a");
        witness.enter("a", 5, floor, false, WitnessTest::inASecond).leave();

        witness.enter("a", 4, floor, false, WitnessTest::inASecond);

        assertThat(kinds()).isEmpty();
    }

    @Test
    void enter_tokenWasGrantedBefore_isReported() {
        witness.enter("a", 5, 0, false, WitnessTest::inASecond).leave();

        witness.enter("a", 5, 0, false, WitnessTest::inASecond);

        assertThat(kinds()).containsExactly(Kind.TOKEN_TWICE);
    }

    @Test
    void attach_firstHolderIsInside_isAllowed() {
        witness.enter("a", 1, 0, false, WitnessTest::inASecond);

        witness.attach("a", 1, System.nanoTime(), false, WitnessTest::inASecond);

        assertThat(kinds()).isEmpty();
    }

    @Test
    void attach_afterTheRelease_isReported() {
        ObservedHold first = witness.enter("a", 1, 0, false, WitnessTest::inASecond);
        first.leave();
        first.released();

        witness.attach("a", 1, System.nanoTime() + 1, false, WitnessTest::inASecond);

        assertThat(kinds()).containsExactly(Kind.ATTACHED_AFTER_RELEASE);
    }

    @Test
    void attach_duringTheRelease_isAllowed() {
        ObservedHold first = witness.enter("a", 1, 0, false, WitnessTest::inASecond);
        long begun = System.nanoTime();
        first.leave();
        first.released();

        witness.attach("a", 1, begun, false, WitnessTest::inASecond);
        witness.enter("a", 2, 1, false, WitnessTest::inASecond);

        assertThat(kinds()).isEmpty();
    }

    @Test
    void enterPool_allPermitsInUse_isReported() {
        witness.enterPool("p", 2, WitnessTest::inASecond);
        witness.enterPool("p", 2, WitnessTest::inASecond).leaveSingle();
        witness.enterPool("p", 2, WitnessTest::inASecond);
        assertThat(kinds()).isEmpty();

        witness.enterPool("p", 2, WitnessTest::inASecond);

        assertThat(kinds()).containsExactly(Kind.TOO_MANY);
    }

    @Test
    void sources_ofTheWitness_doNotUseTheLibrary() throws IOException {
        try (Stream<Path> files = Files.list(Path.of("src/main/java/io/holdfast/stress/witness"))) {
            assertThat(files.flatMap(WitnessTest::lines)).noneMatch(line -> line.startsWith("import io.holdfast"));
        }
    }

    private static long inASecond() {
        return System.nanoTime() + 1_000_000_000;
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
