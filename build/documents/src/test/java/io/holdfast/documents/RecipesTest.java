package io.holdfast.documents;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.Holdfast;
import io.holdfast.node.memory.InMemoryNode;
import io.holdfast.time.SystemTime;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.invoke.MethodHandles;
import java.lang.reflect.Field;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The recipes of docs/recipes.md, run as they are written, on a node in memory. */
@Tag("slow")
class RecipesTest {

    private static final String PAGE = "docs/recipes.md";
    private static final Pattern HEADING = Pattern.compile("(?m)^## (.+)$");

    @TempDir
    private Path directory;

    private final SystemTime time = new SystemTime();
    private final Holdfast holdfast = Holdfast.forTesting(List.of(new InMemoryNode("a", time)), time, new Random(1));

    /** The calls of the application that a recipe has made. */
    private final BlockingQueue<String> calls = new LinkedBlockingQueue<>();

    /** The answers to the questions of a recipe; afterwards, true. */
    private final Queue<Boolean> answers = new ArrayDeque<>();

    @AfterEach
    void close() {
        holdfast.close();
        time.close();
    }

    @Test
    void page_hasTenRecipes_eachWithCode() {
        assertThat(HEADING.matcher(CodeBlock.read(PAGE)).results()).hasSize(10);
        assertThat(CodeBlock.all().stream().filter(block -> block.document().equals(PAGE)))
                .hasSizeGreaterThanOrEqualTo(10);
    }

    @Test
    void customer_orderIsProcessedAndTheLockReleased() throws Exception {
        run("holdfast.lock(\"customer:17\")");

        assertThat(calls).containsExactly("ship", "bill");
        assertThat(holdfast.lock("customer:17").tryAcquire()).isPresent();
    }

    @Test
    void accounts_moneyIsMovedUnderBothLocks() throws Exception {
        run("MultiLock.of");

        assertThat(calls).containsExactly("move");
        assertThat(holdfast.lock("account:7").tryAcquire()).isPresent();
    }

    @Test
    void leader_isElectedAndWorks() throws Exception {
        run("LeaderElection election");

        assertThat(calls.poll(30, TimeUnit.SECONDS)).isEqualTo("collect");
    }

    @Test
    void migration_schemaIsOld_isMigratedOnce() throws Exception {
        answers.add(false);

        run("try (Lease lease = holdfast.lock(\"migration\")");
        run("try (Lease lease = holdfast.lock(\"migration\")");

        assertThat(calls).containsExactly("isCurrent", "migrate", "isCurrent");
    }

    @Test
    void retry_secondAttemptSucceeds_isTheLast() throws Exception {
        answers.add(false);

        run("holdfast.lock(\"import\")");

        assertThat(calls).containsExactly("read", "read");
    }

    @Test
    void rateLimit_semaphore_grantsAPermit() throws Exception {
        run("DistributedSemaphore.of");

        assertThat(calls).containsExactly("send");
    }

    @Test
    void rateLimit_secondCallWithinAMinute_isDropped() throws Exception {
        run("Optional<Lease> first");
        run("Optional<Lease> first");

        assertThat(calls).containsExactly("send");
    }

    /** Compiles the block that begins like this as a class beside this one, and runs it. */
    private void run(String beginning) throws Exception {
        CodeBlock recipe = CodeBlock.of("java").stream()
                .filter(block -> block.document().equals(PAGE) && block.text().startsWith(beginning))
                .findFirst()
                .orElseThrow(() -> new AssertionError("no recipe begins with " + beginning));
        String name = "Recipe" + System.nanoTime();
        String source = JavaBlock.source(recipe).replace("class Example ", "class " + name + " ");
        assertThat(Compilation.write(name, source, directory)).isEmpty();
        Surroundings example = instance(name);
        example.run();
    }

    private Surroundings instance(String name) throws Exception {
        try (Stream<Path> files = Files.walk(directory)) {
            List<Path> classes = files.filter(file -> file.toString().contains(name + "$")
                            || file.toString().endsWith(name + ".class"))
                    .sorted()
                    .toList();
            for (Path file : classes) {
                MethodHandles.lookup().defineClass(Files.readAllBytes(file));
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        Surroundings example = Class.forName("io.holdfast.documents." + name)
                .asSubclass(Surroundings.class)
                .getDeclaredConstructor()
                .newInstance();
        for (Field field : Surroundings.class.getDeclaredFields()) {
            if (field.getType().getEnclosingClass() == Surroundings.class) {
                field.set(example, recorder(field.getType()));
            }
        }
        example.holdfast = holdfast;
        return example;
    }

    private Object recorder(Class<?> port) {
        InvocationHandler handler = (proxy, method, arguments) -> {
            calls.add(method.getName());
            return method.getReturnType() == boolean.class ? answers.isEmpty() || answers.remove() : null;
        };
        return Proxy.newProxyInstance(port.getClassLoader(), new Class<?>[] {port}, handler);
    }
}
