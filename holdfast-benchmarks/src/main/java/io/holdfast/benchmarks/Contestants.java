package io.holdfast.benchmarks;

import java.util.List;
import org.springframework.integration.redis.util.RedisLockRegistry.RedisLockType;

/** The libraries that can wait for a lock that another process holds. */
final class Contestants {

    static final String HOLDFAST = "Holdfast";
    private static final String REDISSON = "Redisson";
    private static final String SPRING_MESSAGES = "Spring, pub/sub";
    private static final String SPRING_POLLING = "Spring, polling";

    private Contestants() {}

    /** Returns the names of the libraries for this number of nodes. */
    static List<String> of(int nodes) {
        return nodes == 1 ? List.of(HOLDFAST, REDISSON, SPRING_MESSAGES, SPRING_POLLING) : List.of(HOLDFAST, REDISSON);
    }

    static Contestant connect(String name, List<String> uris) {
        return switch (name) {
            case HOLDFAST -> new HoldfastLocks(uris);
            case REDISSON -> new RedissonLocks(uris);
            case SPRING_MESSAGES -> new SpringLocks(uris.get(0), RedisLockType.PUB_SUB_LOCK);
            case SPRING_POLLING -> new SpringLocks(uris.get(0), RedisLockType.SPIN_LOCK);
            default -> throw new IllegalArgumentException("There is no library " + name);
        };
    }
}
