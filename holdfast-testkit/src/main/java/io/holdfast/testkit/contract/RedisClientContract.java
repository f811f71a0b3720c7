package io.holdfast.testkit.contract;

import io.holdfast.Holdfast;
import io.holdfast.node.LockNode;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Nested;

/** All that is promised with a Redis client, whichever is on the class path, on real servers. */
public abstract class RedisClientContract {

    private static final ServersBySize SERVERS = new ServersBySize();
    private static @Nullable NodeOnServer on;

    private static NodeOnServer on() {
        NodeOnServer present = on;
        if (present == null) {
            present = new NodeOnServer();
            on = present;
        }
        return present;
    }

    @AfterAll
    static void stop() {
        SERVERS.close();
        if (on != null) {
            on.close();
            on = null;
        }
    }

    @Nested
    class Lock extends LockContract {
        @Override
        protected Holdfast connect(Size size) {
            return SERVERS.connect(size);
        }
    }

    @Nested
    class Locks extends LocksContract {
        @Override
        protected Holdfast connect(Size size) {
            return SERVERS.connect(size);
        }
    }

    @Nested
    class SharedLocks extends SharedLocksContract {
        @Override
        protected Holdfast connect(Size size) {
            return SERVERS.connect(size);
        }
    }

    @Nested
    class Node extends LockNodeContract {
        @Override
        protected LockNode node() {
            return on().node();
        }

        @Override
        protected void letTimePass(Duration duration) {
            on().letTimePass(duration);
        }

        @Override
        protected void expireNow(String resourceName) {
            on().server().exec("DEL", resourceName);
        }
    }

    @Nested
    class Line extends LineContract {
        @Override
        protected LockNode node() {
            return on().node();
        }

        @Override
        protected void letTimePass(Duration duration) {
            on().letTimePass(duration);
        }

        @Override
        protected long clockMicros() {
            return on().clockMicros();
        }
    }

    @Nested
    class Connection extends ConnectionContract {}

    @Nested
    class ManyLeases extends ManyLeasesContract {}
}
