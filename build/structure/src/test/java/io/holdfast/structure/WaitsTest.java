package io.holdfast.structure;

import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.lang.ArchRule;
import io.holdfast.time.ThreadWait;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionService;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.ForkJoinTask;
import java.util.concurrent.Future;
import java.util.concurrent.Phaser;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * No published class waits by the rules of a pool: on a worker of a {@link ForkJoinPool}, such a wait runs other tasks
 * of the application, asks for a spare thread, or fails if there may be none.
 */
@Tag("slow")
class WaitsTest {

    /** The exempt class, which reads futures that are complete. */
    private static final String EXEMPT = ThreadWait.class.getName();

    /** The modules that are not published, and the one that starts servers for tests. */
    private static final String[] TOOLS = Stream.of(
                    "servers",
                    "testkit",
                    "packing",
                    "interop",
                    "faults",
                    "stress",
                    "simulation",
                    "benchmarks",
                    "scoreboard",
                    "inventory",
                    "examples")
            .map(module -> "io.holdfast." + module + "..")
            .toArray(String[]::new);

    private static final Set<Class<?>> BY_RULES = Set.of(
            CompletionService.class,
            Condition.class,
            ExecutorService.class,
            ForkJoinPool.class,
            ForkJoinTask.class,
            Future.class,
            Phaser.class);

    private static final Pattern WAIT = Pattern.compile("get|join|take|invoke.*|managedBlock|await.*|quietly.*");

    private final ArchRule rule = noClasses()
            .that()
            .resideOutsideOfPackages(TOOLS)
            .and(describe("are not exempt", type -> !EXEMPT.equals(type.getName())))
            .should()
            .accessTargetWhere(waits());

    private static DescribedPredicate<JavaAccess<?>> waits() {
        return describe(
                "it waits by the rules of a pool; call ThreadWait or Time.await",
                access -> waits(access.getTargetOwner(), access) || waitsInQueue(access.getTargetOwner(), access));
    }

    private static boolean waits(JavaClass owner, JavaAccess<?> access) {
        return WAIT.matcher(access.getName()).matches() && BY_RULES.stream().anyMatch(owner::isAssignableTo);
    }

    private static boolean waitsInQueue(JavaClass owner, JavaAccess<?> access) {
        boolean isTimed = access.getTarget().getFullName().contains(TimeUnit.class.getName());
        return owner.isAssignableTo(BlockingQueue.class)
                && (isTimed
                        || access.getName().equals("take")
                        || access.getName().equals("put"));
    }

    @Test
    void waits_published_areOurs() {
        rule.check(ModulesTest.CLASSES);
    }

    @Test
    void waits_ofPools_violateTheRule() {
        JavaClasses wrong = new ClassFileImporter().importClasses(Wrong.class);

        Stream.of("join()", "get(long", "managedBlock", "take()", "poll(long", "await()")
                .forEach(wait -> assertThatThrownBy(() -> rule.check(wrong)).hasMessageContaining(wait));
    }

    /** Waits as it must not, for the test of the rule. */
    @SuppressWarnings({"ReturnValueIgnored", "WaitNotInLoop"})
    static final class Wrong {

        private Wrong() {}

        static void waits(CompletableFuture<String> future, ForkJoinPool.ManagedBlocker blocker) throws Exception {
            Function<CompletableFuture<String>, String> join = CompletableFuture::join;
            join.apply(future);
            future.get(1, TimeUnit.SECONDS);
            ForkJoinPool.managedBlock(blocker);
        }

        static void waits(BlockingQueue<String> queue, Condition condition) throws InterruptedException {
            queue.take();
            queue.poll(1, TimeUnit.SECONDS);
            condition.await();
        }
    }
}
