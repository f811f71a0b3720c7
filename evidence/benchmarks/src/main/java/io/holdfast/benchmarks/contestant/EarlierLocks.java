package io.holdfast.benchmarks.contestant;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * {@link HoldfastLocks} of an earlier build, with its own copy of Holdfast and of Lettuce, so that both versions have
 * turns in one process.
 */
final class EarlierLocks implements Contestant {

    /**
     * The system property that names the jar of the earlier build of these benchmarks. The folder {@code lib} of that
     * build is beside it.
     */
    static final String PROPERTY = "holdfast.earlier";

    private final Object locks;
    private final Method acquire;
    private final Method close;

    /** The classes of the earlier build. All clients of a process share them, so that they are compiled once. */
    private static final class Classes {

        static final ClassLoader LOADER = loader();

        private static ClassLoader loader() {
            try {
                URL jar = Path.of(Objects.requireNonNull(jar())).toUri().toURL();
                return new URLClassLoader(new URL[] {jar}, ClassLoader.getPlatformClassLoader());
            } catch (MalformedURLException e) {
                throw new IllegalStateException(e);
            }
        }
    }

    EarlierLocks(List<String> uris) {
        Thread thread = Thread.currentThread();
        ClassLoader before = thread.getContextClassLoader();
        thread.setContextClassLoader(Classes.LOADER);
        try {
            Class<?> type = Classes.LOADER.loadClass(HoldfastLocks.class.getName());
            locks = type.getConstructor(List.class).newInstance(uris);
            acquire = type.getMethod("acquire", String.class);
            close = type.getMethod("close");
        } catch (InvocationTargetException failed) {
            throw new IllegalStateException("The earlier build does not connect", failed.getCause());
        } catch (ReflectiveOperationException | LinkageError e) {
            throw new IllegalStateException(
                    jar() + " is no build of these benchmarks with its lib beside it; see -D" + PROPERTY, e);
        } finally {
            thread.setContextClassLoader(before);
        }
    }

    /** Returns the jar of the earlier build, or null if there is none. */
    static @Nullable String jar() {
        return System.getProperty(PROPERTY);
    }

    @Override
    public Runnable acquire(String resource) throws InvocationTargetException, IllegalAccessException {
        return (Runnable) acquire.invoke(locks, resource);
    }

    @Override
    public void close() {
        try {
            close.invoke(locks);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
    }
}
