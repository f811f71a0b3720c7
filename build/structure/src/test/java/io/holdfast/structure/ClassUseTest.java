package io.holdfast.structure;

import static java.util.Map.entry;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaClass;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Tests how many classes of core a class of core uses, and how many use each other in a circle. A class uses another
 * one if it names that, or calls one of its methods. A class includes its inner classes.
 */
@Tag("slow")
class ClassUseTest {

    private static final int MOST_USED = 15;
    private static final int LARGEST_CIRCLE = 4;

    /** The classes that use more than {@value #MOST_USED} others, with their numbers and the reason for each. */
    private static final Map<String, Integer> EXCEPTIONS = Map.ofEntries(
            // It makes a client of its parts, and shows them to users.
            entry("Holdfast", 29),
            // The order of the steps of a wait is the algorithm; the steps themselves are in other classes.
            entry("acquire.Acquisition", 24),
            // It makes a node of its tables, and implements a port that names ten types.
            entry("node.memory.InMemoryNode", 24),
            // All that a lease can do meets here, in one state.
            entry("hold.Hold", 22),
            // What users may do with a lease, and with a lock.
            entry("Lease", 19),
            entry("DistributedLock", 16),
            // A client consists of these: its events, its names, its waits.
            entry("client.LockClient", 17),
            // What administrators may ask.
            entry("admin.LockAdmin", 21),
            // It makes the waiters, their queues and their acquisitions.
            entry("acquire.LocalWaiters", 16));

    private static final String ROOT = "io.holdfast.";

    @Test
    void classes_ofCore_useFewOthers() {
        assertThat(complaints(usesInCore(), EXCEPTIONS)).isEmpty();
    }

    @Test
    void classes_ofCore_formSmallCircles() {
        assertThat(largeCircles(usesInCore())).isEmpty();
    }

    @Test
    void complaints_classUsesTooMany_isFound() {
        Map<String, Set<String>> uses = Map.of("Large", others(16), "Exception", others(18), "Small", others(15));

        assertThat(complaints(uses, Map.of("Exception", 17)))
                .containsExactlyInAnyOrder(
                        "Large uses 16 classes, more than 15; untie it, or name it as an exception",
                        "Exception uses 18 classes, more than 17; untie it, or name it as an exception");
    }

    @Test
    void complaints_exceptionIsNotNeeded_isFound() {
        Map<String, Set<String>> uses = Map.of("Untied", others(15), "Better", others(16));

        assertThat(complaints(uses, Map.of("Untied", 16, "Better", 17, "Gone", 20)))
                .containsExactlyInAnyOrder(
                        "Untied uses 15 classes, fewer than 16; correct its exception",
                        "Better uses 16 classes, fewer than 17; correct its exception",
                        "Gone uses 0 classes, fewer than 20; correct its exception");
    }

    @Test
    void largeCircles_fiveClasses_areFound() {
        assertThat(largeCircles(circleOf(4))).isEmpty();
        assertThat(largeCircles(circleOf(5))).hasSize(1);
    }

    private static Set<String> others(int count) {
        return IntStream.range(0, count).mapToObj(i -> "Other" + i).collect(Collectors.toSet());
    }

    private static Map<String, Set<String>> circleOf(int count) {
        Map<String, Set<String>> uses = new HashMap<>();
        for (int i = 0; i < count; i++) {
            uses.put("Class" + i, Set.of("Class" + (i + 1) % count, "Alone"));
        }
        return uses;
    }

    private static List<String> complaints(Map<String, Set<String>> uses, Map<String, Integer> exceptions) {
        Set<String> all = new TreeSet<>(uses.keySet());
        all.addAll(exceptions.keySet());
        List<String> complaints = new ArrayList<>();
        for (String type : all) {
            int used = uses.getOrDefault(type, Set.of()).size();
            int allowed = exceptions.getOrDefault(type, MOST_USED);
            if (used > allowed) {
                complaints.add(type + " uses " + used + " classes, more than " + allowed
                        + "; untie it, or name it as an exception");
            } else if (exceptions.containsKey(type) && used < allowed) {
                complaints.add(type + " uses " + used + " classes, fewer than " + allowed + "; correct its exception");
            }
        }
        return complaints;
    }

    /** Returns the circles that are too large: classes of which each uses each other one, directly or not. */
    private static Set<Set<String>> largeCircles(Map<String, Set<String>> uses) {
        Map<String, Set<String>> reached = new HashMap<>();
        uses.keySet().forEach(type -> reached.put(type, reached(uses, type)));
        return uses.keySet().stream()
                .map(type -> circle(reached, type))
                .filter(circle -> circle.size() > LARGEST_CIRCLE)
                .collect(Collectors.toSet());
    }

    private static Set<String> circle(Map<String, Set<String>> reached, String type) {
        Predicate<String> returns =
                other -> reached.getOrDefault(other, Set.of()).contains(type);
        return reached.getOrDefault(type, Set.of()).stream().filter(returns).collect(Collectors.toSet());
    }

    private static Set<String> reached(Map<String, Set<String>> uses, String type) {
        Set<String> reached = new TreeSet<>();
        Deque<String> next = new ArrayDeque<>(uses.getOrDefault(type, Set.of()));
        while (!next.isEmpty()) {
            String other = next.remove();
            if (reached.add(other)) {
                next.addAll(uses.getOrDefault(other, Set.of()));
            }
        }
        return reached;
    }

    /** Returns the classes that each class of core uses. A build of single modules has no classes of the others. */
    private static Map<String, Set<String>> usesInCore() {
        Collection<JavaClass> core =
                ModulesTest.CLASSES.stream().filter(ClassUseTest::isOfCore).toList();
        Set<String> names = core.stream().map(ClassUseTest::name).collect(Collectors.toSet());
        Map<String, Set<String>> uses = new TreeMap<>();
        for (JavaClass type : core) {
            for (Dependency dependency : type.getDirectDependenciesFromSelf()) {
                String used = name(dependency.getTargetClass().getBaseComponentType());
                if (names.contains(used) && !used.equals(name(type))) {
                    uses.computeIfAbsent(name(type), first -> new TreeSet<>()).add(used);
                }
            }
        }
        assertThat(uses).hasSizeGreaterThan(100);
        return uses;
    }

    private static boolean isOfCore(JavaClass type) {
        return type.getSource()
                .filter(source -> source.getUri().getPath().contains("/core/target/classes/"))
                .isPresent();
    }

    /** Returns the name of a class, or of the class around it, below the package of Holdfast. */
    private static String name(JavaClass type) {
        String name = type.getName().replaceFirst("\\$.*", "");
        return name.startsWith(ROOT) ? name.substring(ROOT.length()) : name;
    }
}
