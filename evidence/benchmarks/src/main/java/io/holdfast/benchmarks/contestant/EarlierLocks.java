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

    /** The system property that names the jar of the earlier build of these benchmarks. */
    static final String PROPERTY = "holdfast.earlier";

    private final Object locks;
    private final Method acquire;
    private final Method close;

    EarlierLocks(List<String> uris) {
        Thread thread = Thread.currentThread();
        ClassLoader before = thread.getContextClassLoader();
        try {
            URL jar = Path.of(Objects.requireNonNull(jar())).toUri().toURL();
            ClassLoader earlier = new URLClassLoader(new URL[] {jar}, ClassLoader.getPlatformClassLoader());
            thread.setContextClassLoader(earlier);
            Class<?> type = earlier.loadClass(HoldfastLocks.class.getName());
            locks = type.getConstructor(List.class).newInstance(uris);
            acquire = type.getMethod("acquire", String.class);
            close = type.getMethod("close");
        } catch (ReflectiveOperationException | MalformedURLException e) {
            throw new IllegalStateException(jar() + " is no build of these benchmarks; see -D" + PROPERTY, e);
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
