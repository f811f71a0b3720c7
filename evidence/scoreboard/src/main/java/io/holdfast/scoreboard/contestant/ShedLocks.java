package io.holdfast.scoreboard.contestant;

import io.holdfast.benchmarks.server.PostgresServer;
import java.time.Duration;
import java.util.Optional;
import net.javacrumbs.shedlock.core.ClockProvider;
import net.javacrumbs.shedlock.core.LockConfiguration;
import net.javacrumbs.shedlock.core.LockProvider;
import net.javacrumbs.shedlock.core.SimpleLock;
import net.javacrumbs.shedlock.provider.jdbctemplate.JdbcTemplateLockProvider;
import net.javacrumbs.shedlock.provider.redis.spring.RedisLockProvider;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DriverManagerDataSource;

/** A provider of ShedLock. It does not wait, so this asks repeatedly. */
record ShedLocks(LockProvider provider, Duration lockAtMostFor) implements Contestant {

    private static final long POLL_MILLIS = 20;

    /** On Redis; the owner is compared on release. */
    static ShedLocks onRedis(String uri, Duration lockAtMostFor) {
        return new ShedLocks(
                new RedisLockProvider.Builder(SpringLocks.connect(uri))
                        .safeUpdate(true)
                        .build(),
                lockAtMostFor);
    }

    /** In a table, by the clock of the database. */
    static ShedLocks onPostgres(String uri, Duration lockAtMostFor) {
        String url = "jdbc:" + uri + "/postgres?user=" + PostgresServer.USER;
        return new ShedLocks(
                new JdbcTemplateLockProvider(JdbcTemplateLockProvider.Configuration.builder()
                        .withJdbcTemplate(new JdbcTemplate(new DriverManagerDataSource(url)))
                        .usingDbTime()
                        .build()),
                lockAtMostFor);
    }

    @Override
    public Hold acquire(String resource, Runnable onLost) throws InterruptedException {
        while (true) {
            Optional<SimpleLock> lock =
                    provider.lock(new LockConfiguration(ClockProvider.now(), resource, lockAtMostFor, Duration.ZERO));
            if (lock.isPresent()) {
                return Hold.withoutToken(lock.get()::unlock);
            }
            Thread.sleep(POLL_MILLIS);
        }
    }
}
