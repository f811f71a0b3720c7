package io.holdfast.simulation.story;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.simulation.Simulate;
import io.holdfast.simulation.story.DisturbedRuns.Scene;
import io.holdfast.simulation.story.DisturbedRuns.Way;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;
import tools.jackson.databind.json.JsonMapper;

/** Safe and unsafe ways to lock, and what comes of each disturbance. */
class DisturbedRunsTest {

    private static final DisturbedRuns RUNS = DisturbedRuns.record();
    private static final Way HOLDFAST = RUNS.ways().get(0);
    private static final List<Way> UNSAFE = RUNS.ways().subList(1, RUNS.ways().size());

    private static Scene scene(Way way, String path) {
        return Objects.requireNonNull(way.scenes().get(path), path);
    }

    @Test
    void record_twice_isTheSame() {
        assertThat(DisturbedRuns.record()).isEqualTo(RUNS);
    }

    @Test
    void record_holdfast_neverSellsThePieceTwice() {
        assertThat(HOLDFAST.scenes().values()).extracting(Scene::sold).isSubsetOf(0, 1);
    }

    @Test
    void record_holdfast_twoClientsNeverHoldTheLock() {
        assertThat(HOLDFAST.scenes().values())
                .noneMatch(scene -> scene.a().equals("holds") && scene.b().equals("holds"));
    }

    @Test
    void record_pauseOfTheHolder_isRejectedOnlyByTokens() {
        assertThat(scene(HOLDFAST, "ggp").rejected()).isOne();
        assertThat(UNSAFE)
                .allSatisfy(way -> assertThat(scene(way, "ggp").sold()).isEqualTo(2));
    }

    @Test
    void record_unsafeWays_sellThePieceTwiceInTheRunToTry() {
        assertThat(UNSAFE).allSatisfy(way -> {
            assertThat(way.guide()).hasSize(DisturbedRun.MOMENTS);
            assertThat(scene(way, way.guide()).sold()).isEqualTo(2);
        });
    }

    @Test
    void record_undisturbed_sellsOnceEverywhere() {
        assertThat(RUNS.ways())
                .allSatisfy(way -> assertThat(scene(way, "ggg").sold()).isOne());
    }

    @Test
    void record_wipeBesideACut_isAQuarantineOrASecondHolder() {
        assertThat(scene(HOLDFAST, "cw").b()).isEqualTo("waits");
        assertThat(scene(HOLDFAST, "cw").nodes().get(1).state()).isEqualTo("quarantine");
        Scene unsafe = scene(UNSAFE.get(1), "cw");
        assertThat(List.of(unsafe.a(), unsafe.b())).containsOnly("holds");
    }

    @Test
    void simulate_disturbedRuns_areWrittenAsJson(@TempDir Path directory) {
        Path file = directory.resolve("runs.json");

        int code = new CommandLine(new Simulate()).execute("--disturbed-runs", file.toString());

        assertThat(code).isZero();
        assertThat(new JsonMapper().readValue(file.toFile(), DisturbedRuns.class))
                .isEqualTo(RUNS);
    }
}
