package io.holdfast.testkit.contract;

import io.holdfast.servers.Eventually;
import java.io.File;
import java.lang.ref.WeakReference;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A container that deploys an application with a class loader of its own, undeploys it, and prints whether its classes
 * are unloaded. A process of its own: when Netty's native library is unloaded with a class loader, it also unregisters
 * the methods of the copy that the class path of the process has.
 */
final class RedeployedApplication {

    static final String UNLOADED = "unloaded";

    private RedeployedApplication() {}

    /** Argument: the address of a server. */
    public static void main(String[] arguments) throws Exception {
        WeakReference<ClassLoader> classes = deploy(arguments[0]);
        Eventually.eventually("the threads of the application end", () -> !hasThread(classes.get()));
        compareRecords();
        Eventually.eventually("the classes of the application are unloaded", () -> {
            System.gc();
            return classes.get() == null;
        });
        System.out.println(UNLOADED);
    }

    /** A record of the container, whose component has a type of Java. */
    private record OfTheContainer(String value) {}

    /**
     * Compares records as the next application does. Java 17 keeps the types of that record whose methods it has linked
     * last.
     *
     * @see <a href="https://bugs.openjdk.org/browse/JDK-8078641">JDK-8078641, mended in Java 18</a>
     */
    private static void compareRecords() {
        Map<OfTheContainer, String> byRecord = new HashMap<>(Map.of(new OfTheContainer("a"), "found"));
        Objects.requireNonNull(byRecord.get(new OfTheContainer("a")));
    }

    private static boolean hasThread(@Nullable ClassLoader classes) {
        return classes != null
                && Thread.getAllStackTraces().keySet().stream()
                        .anyMatch(thread -> thread.getContextClassLoader() == classes);
    }

    /** Runs the application on a thread that ends, as the threads of a container do, and undeploys it. */
    private static WeakReference<ClassLoader> deploy(String address) throws Exception {
        try (URLClassLoader classes = new URLClassLoader(classPath(), ClassLoader.getPlatformClassLoader())) {
            CompletableFuture<Void> end = CompletableFuture.runAsync(() -> run(classes, address), task -> {
                Thread thread = new Thread(task, "container");
                thread.setContextClassLoader(classes);
                thread.start();
            });
            Eventually.result(end);
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

    private static URL[] classPath() throws Exception {
        List<URL> urls = new ArrayList<>();
        for (String entry : List.of(System.getProperty("java.class.path").split(File.pathSeparator, -1))) {
            urls.add(Path.of(entry).toUri().toURL());
        }
        return urls.toArray(URL[]::new);
    }
}
