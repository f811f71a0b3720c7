package io.holdfast.scoreboard.migration;

import io.holdfast.Holdfast;
import io.holdfast.locks.ReentrantDistributedLock;
import io.holdfast.scoreboard.contestant.Contestant;
import io.holdfast.scoreboard.contestant.SetNxLocks;
import io.holdfast.shedlock.HoldfastLockProvider;
import io.holdfast.spring.integration.HoldfastLockRegistry;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.locks.Lock;
import net.javacrumbs.shedlock.core.ClockProvider;
import net.javacrumbs.shedlock.core.LockConfiguration;
import net.javacrumbs.shedlock.core.LockProvider;
import net.javacrumbs.shedlock.core.SimpleLock;
import net.javacrumbs.shedlock.provider.jdbctemplate.JdbcTemplateLockProvider;
import net.javacrumbs.shedlock.provider.redis.spring.RedisLockProvider;
import org.redisson.Redisson;
import org.redisson.api.RedissonClient;
import org.redisson.config.Config;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.integration.redis.util.RedisLockRegistry;

/** The locks that fleets migrate from, as the pages of the documents say it. */
enum Migration {
    REDISSON {
        @Override
        Contestant connect(Version version, Servers servers, Instance instance) {
            return instance.counting(
                    switch (version) {
                        case OLD -> redisson(servers, instance).getLock(instance.name());
                        case BOTH ->
                            own(servers, instance)
                                    .alongside(redisson(servers, instance).getLock(instance.name()));
                        case NEW -> own(servers, instance);
                    });
        }
    },
    SPRING_INTEGRATION {
        @Override
        Contestant connect(Version version, Servers servers, Instance instance) {
            Lock lock = switch (version) {
                case OLD -> oldRegistry(servers, instance).obtain(instance.name());
                case BOTH ->
                    registry(servers, instance)
                            .alongside(oldRegistry(servers, instance))
                            .obtain(instance.name());
                case NEW -> registry(servers, instance).obtain(instance.name());
            };
            return instance.counting(lock);
        }
    },
    SHEDLOCK_ON_REDIS {
        @Override
        Contestant connect(Version version, Servers servers, Instance instance) {
            return shedLock(
                    version,
                    servers,
                    instance,
                    () -> new RedisLockProvider.Builder(spring(servers, instance))
                            .safeUpdate(true)
                            .build());
        }
    },
    SHEDLOCK_ON_JDBC {
        @Override
        Contestant connect(Version version, Servers servers, Instance instance) {
            return shedLock(version, servers, instance, () -> new JdbcTemplateLockProvider(servers.database()));
        }
    },
    SET_NX {
        @Override
        Contestant connect(Version version, Servers servers, Instance instance) {
            return switch (version) {
                case OLD -> {
                    SetNxLocks locks = instance.closing(new SetNxLocks(servers.old(), LONG), SetNxLocks::close);
                    yield (resource, onLost) -> locks.acquire(instance.name(), onLost);
                }
                case BOTH ->
                    instance.counting(own(servers, instance)
                            .alongside(lock(servers.older().addresses(), servers, instance)));
                case NEW -> instance.counting(own(servers, instance));
            };
        }
    },
    FEWER_NODES {
        @Override
        Contestant connect(Version version, Servers servers, Instance instance) {
            return instance.counting(
                    switch (version) {
                        case OLD -> lock(servers.older().addresses(), servers, instance);
                        case BOTH ->
                            lock(servers.grown(), servers, instance)
                                    .alongside(lock(servers.older().addresses(), servers, instance));
                        case NEW -> lock(servers.grown(), servers, instance);
                    });
        }
    };

    private static final Duration LONG = Duration.ofMinutes(1);
    private static final long POLL_MILLIS = 5;

    /** A provider is made only where a version uses it. */
    private interface Provider {
        LockProvider connect();
    }

    /** Connects a process to its servers. */
    abstract Contestant connect(Version version, Servers servers, Instance instance);

    private static Holdfast holdfast(Servers servers, Instance instance) {
        return holdfast(servers.redis().addresses(), servers, instance);
    }

    private static Holdfast holdfast(List<String> addresses, Servers servers, Instance instance) {
        return instance.closing(servers.connect(addresses), Holdfast::close);
    }

    private static ReentrantDistributedLock lock(List<String> addresses, Servers servers, Instance instance) {
        return ReentrantDistributedLock.of(
                holdfast(addresses, servers, instance).lock(instance.name()));
    }

    private static ReentrantDistributedLock own(Servers servers, Instance instance) {
        return ReentrantDistributedLock.of(holdfast(servers, instance).lock("new-" + instance.name()));
    }

    private static RedissonClient redisson(Servers servers, Instance instance) {
        Config config = new Config().setThreads(2).setNettyThreads(2);
        config.useSingleServer()
                .setAddress(servers.old())
                .setConnectionMinimumIdleSize(1)
                .setConnectionPoolSize(2)
                .setSubscriptionConnectionPoolSize(2);
        return instance.closing(Redisson.create(config), RedissonClient::shutdown);
    }

    private static LettuceConnectionFactory spring(Servers servers, Instance instance) {
        URI address = URI.create(servers.old());
        LettuceConnectionFactory factory = new LettuceConnectionFactory(address.getHost(), address.getPort());
        factory.afterPropertiesSet();
        factory.start();
        return instance.closing(factory, LettuceConnectionFactory::destroy);
    }

    private static RedisLockRegistry oldRegistry(Servers servers, Instance instance) {
        RedisLockRegistry registry = new RedisLockRegistry(spring(servers, instance), "old");
        registry.setIdleBetweenTries(Duration.ofMillis(POLL_MILLIS));
        return instance.closing(registry, RedisLockRegistry::destroy);
    }

    private static HoldfastLockRegistry registry(Servers servers, Instance instance) {
        return new HoldfastLockRegistry(holdfast(servers, instance), "registry");
    }

    private static Contestant shedLock(Version version, Servers servers, Instance instance, Provider old) {
        LockProvider provider = switch (version) {
            case OLD -> old.connect();
            case BOTH -> ownProvider(servers, instance).alongside(old.connect());
            case NEW -> ownProvider(servers, instance);
        };
        return (resource, onLost) -> {
            // The client asks again after an exception.
            SimpleLock lock = provider.lock(
                            new LockConfiguration(ClockProvider.now(), instance.name(), LONG, Duration.ZERO))
                    .orElseThrow(() -> new IllegalStateException("held"));
            return new Contestant.Hold(OptionalLong.empty(), lock::unlock);
        };
    }

    private static HoldfastLockProvider ownProvider(Servers servers, Instance instance) {
        return instance.closing(new HoldfastLockProvider(holdfast(servers, instance)), HoldfastLockProvider::close);
    }
}
