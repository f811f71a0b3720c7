package io.holdfast.testkit.contract;

import static io.holdfast.servers.Eventually.eventually;

import io.holdfast.servers.Eventually;
import io.holdfast.servers.RedisServer;
import java.io.File;
import java.io.IOException;
import java.lang.ref.WeakReference;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Tests that an application with a class loader of its own can be unloaded after its client has been closed. */
public abstract class RedeploymentContract {

    /** A thread, a timer, a hook or a cache that refers to one of its classes would keep all of them in memory. */
    @Test
    void close_applicationIsUndeployed_leavesNoClass() throws Exception {
        try (RedisServer server = RedisServer.start()) {
            WeakReference<ClassLoader> classes = deploy(server.uri().toString());

            eventually("the classes of the application are unloaded", () -> {
                System.gc();
                return classes.get() == null;
            });
        }
    }

    /** Runs the application on a thread that ends, as the threads of a container do, and undeploys it. */
    private static WeakReference<ClassLoader> deploy(String address) throws Exception {
        ClassLoader platform = ClassLoader.getPlatformClassLoader();
        try (URLClassLoader classes = new URLClassLoader(classPath(), platform)) {
            Executor container = task -> {
                Thread thread = new Thread(task, "container");
                thread.setContextClassLoader(classes);
                thread.start();
            };
            Eventually.result(CompletableFuture.runAsync(() -> run(classes, address), container));
            return new WeakReference<>(classes);
        }
    }

    @SuppressWarnings("unchecked")
    private static void run(ClassLoader classes, String address) {
        try {
            Object application = classes.loadClass(DeployedApplication.class.getName())
                    .getConstructor()
                    .newInstance();
            ((Consumer<String>) application).accept(address);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("The application cannot be started", e);
        }
    }

    private static URL[] classPath() throws IOException {
        return Stream.of(System.getProperty("java.class.path").split(File.pathSeparator))
                .map(RedeploymentContract::url)
                .toArray(URL[]::new);
    }

    private static URL url(String entry) {
        try {
            return Path.of(entry).toUri().toURL();
        } catch (MalformedURLException e) {
            throw new IllegalStateException("The class path has an entry that is no file: " + entry, e);
        }
    }
}
