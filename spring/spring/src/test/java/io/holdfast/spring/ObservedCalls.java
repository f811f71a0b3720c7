package io.holdfast.spring;

import io.holdfast.DistributedLock;
import io.holdfast.Lease;
import io.holdfast.LockTimeoutException;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/** Records what an observer of locks is called with. */
final class ObservedCalls implements LockObserver {

    private final List<String> entries = new CopyOnWriteArrayList<>();
    private final ThreadLocal<@Nullable String> current = new ThreadLocal<>();

    List<String> entries() {
        return entries;
    }

    /** Returns the work whose scope this thread is in; null outside of all. */
    @Nullable
    String current() {
        return current.get();
    }

    @Override
    public Wait waiting(DistributedLock lock, @Nullable Object parent) {
        String name = lock.resource() + (parent == null ? "" : " under " + parent);
        AtomicBoolean ended = new AtomicBoolean();
        entries.add(name + " waits");
        return new Wait() {
            @Override
            public void failed(Throwable failure) {
                if (ended.compareAndSet(false, true)) {
                    entries.add(name + " failed " + failure.getClass().getSimpleName());
                }
            }

            @Override
            public void skipped(LockTimeoutException held) {
                if (ended.compareAndSet(false, true)) {
                    entries.add(name + " skipped");
                }
            }

            @Override
            public Work granted(Lease lease) {
                ended.set(true);
                entries.add(name + " granted");
                return new ObservedWork(name);
            }
        };
    }

    private final class ObservedWork implements Work {

        private final String name;
        private final AtomicBoolean ended = new AtomicBoolean();

        ObservedWork(String name) {
            this.name = name;
        }

        @Override
        public <T, E extends Throwable> @Nullable T run(CurrentLease.Body<T, E> body) throws E {
            current.set(name);
            try {
                return body.run();
            } finally {
                current.remove();
            }
        }

        @Override
        public Object context() {
            return name;
        }

        @Override
        public void ended(@Nullable Throwable failure) {
            if (ended.compareAndSet(false, true)) {
                entries.add(name + " ended"
                        + (failure == null ? "" : " " + failure.getClass().getSimpleName()));
            }
        }
    }
}
