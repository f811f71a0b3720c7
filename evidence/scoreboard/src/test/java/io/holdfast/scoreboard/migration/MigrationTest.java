package io.holdfast.scoreboard.migration;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.scoreboard.witness.Outcome;
import java.sql.SQLException;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Fleets that are rolled forth and back under load, judged by a witness outside of their locks. */
@Tag("server")
@Tag("evidence")
@Tag("nightly")
@Execution(ExecutionMode.CONCURRENT)
class MigrationTest {

    /** The migration guides have the result of 100. */
    private static final int ROUNDS = Integer.getInteger("holdfast.migration.rounds", 25);

    @SuppressWarnings("NullAway.Init")
    private static Servers servers;

    @BeforeAll
    static void start() throws SQLException {
        servers = Servers.start();
    }

    @AfterAll
    static void stop() {
        servers.close();
    }

    @ParameterizedTest
    @EnumSource
    void roll_byWayOfBothLocks_neverOverlaps(Migration migration) throws Exception {
        try (Fleet fleet = Fleet.start(migration, servers)) {
            for (int i = 0; i < ROUNDS; i++) {
                for (Version next : List.of(Version.BOTH, Version.NEW, Version.BOTH, Version.OLD)) {
                    fleet.roll(next);
                }
            }

            Outcome outcome = fleet.end();
            assertThat(outcome.overlapMillis()).isZero();
            assertThat(outcome.lost()).isZero();
            assertThat(outcome.violations()).isEmpty();
            assertThat(outcome.updates()).isGreaterThan(ROUNDS * 12L);
        }
    }

    /** Otherwise a witness that finds nothing would prove nothing. */
    @ParameterizedTest
    @EnumSource
    void roll_straightToTheNewLock_overlaps(Migration migration) throws Exception {
        try (Fleet fleet = Fleet.start(migration, servers)) {
            fleet.replaceWhileTheFirstWorks(Version.NEW);

            assertThat(fleet.end().overlapMillis()).isPositive();
        }
    }
}
