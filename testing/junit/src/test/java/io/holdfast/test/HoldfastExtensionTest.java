package io.holdfast.test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;
import static org.junit.platform.testkit.engine.EventConditions.event;
import static org.junit.platform.testkit.engine.EventConditions.finishedWithFailure;
import static org.junit.platform.testkit.engine.TestExecutionResultConditions.instanceOf;
import static org.junit.platform.testkit.engine.TestExecutionResultConditions.message;

import io.holdfast.Holdfast;
import io.holdfast.node.memory.InMemoryNode;
import io.holdfast.time.VirtualTime;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.platform.testkit.engine.EngineExecutionResults;
import org.junit.platform.testkit.engine.EngineTestKit;

/** The life of an extension: whole classes of tests are run by JUnit inside a test. */
class HoldfastExtensionTest {

    private static final Set<Holdfast> SEEN = Collections.newSetFromMap(new IdentityHashMap<>());

    private static void run(Class<?> tests, int expected) {
        execute(tests)
                .testEvents()
                .assertStatistics(events -> events.succeeded(expected).failed(0));
    }

    private static EngineExecutionResults execute(Class<?> tests) {
        SEEN.clear();
        return EngineTestKit.engine("junit-jupiter")
                .selectors(selectClass(tests))
                .execute();
    }

    /** Two tests that each leave the lock behind, here and elsewhere. */
    @HoldfastTest
    static class Forgetful {

        @Test
        void acquire_first_isGranted(Holdfast holdfast, HoldfastExtension locks) throws Exception {
            check(holdfast, locks);
        }

        @Test
        void acquire_second_isGrantedToo(Holdfast holdfast, HoldfastExtension locks) throws Exception {
            check(holdfast, locks);
        }

        private static void check(Holdfast holdfast, HoldfastExtension locks) throws Exception {
            SEEN.add(holdfast);
            assertThat(holdfast.lock("forgotten").tryAcquire()).isPresent();
            locks.heldElsewhere("forgotten elsewhere");
        }
    }

    @Test
    void afterEach_locksLeftBehind_areTakenAway() {
        run(Forgetful.class, 2);

        assertThat(SEEN).hasSize(1);
    }

    @Test
    void afterAll_client_isClosed() {
        run(Forgetful.class, 2);

        Holdfast closed = SEEN.iterator().next();
        assertThatThrownBy(() -> closed.lock("a").acquire())
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("closed");
    }

    /** An extension for each test. */
    static class OfInstance {

        @RegisterExtension
        final HoldfastExtension locks = HoldfastExtension.inMemory();

        @Test
        void holdfast_first_works() throws Exception {
            SEEN.add(locks.holdfast());
            locks.holdfast().lock("a").acquire();
        }

        @Test
        void holdfast_second_works() throws Exception {
            SEEN.add(locks.holdfast());
            locks.holdfast().lock("a").acquire();
        }
    }

    @Test
    void extension_inAnInstanceField_isNewForEachTest() {
        run(OfInstance.class, 2);

        assertThat(SEEN).hasSize(2);
    }

    /** An extension for the class, which is there before the first test. */
    static class OfClass {

        @RegisterExtension
        static final HoldfastExtension LOCKS = HoldfastExtension.inMemory();

        private final Holdfast holdfast = LOCKS.holdfast();

        @Test
        void holdfast_first_works() throws Exception {
            SEEN.add(holdfast);
            holdfast.lock("a").acquire();
        }

        @Test
        void holdfast_second_works() throws Exception {
            SEEN.add(holdfast);
            holdfast.lock("a").acquire();
        }
    }

    @Test
    void extension_inAStaticField_isOneForTheClass() {
        run(OfClass.class, 2);

        assertThat(SEEN).hasSize(1);
    }

    /** Another extension, which fails before the first test. */
    static final class FailsOnce implements BeforeEachCallback {

        @Override
        public void beforeEach(ExtensionContext context) {
            if (SEEN.isEmpty()) {
                SEEN.add(OfBrokenClass.LOCKS.holdfast());
                throw new IllegalStateException("no database");
            }
        }
    }

    @ExtendWith(FailsOnce.class)
    static class OfBrokenClass {

        @RegisterExtension
        static final HoldfastExtension LOCKS = HoldfastExtension.inMemory();

        @Test
        void holdfast_first_works() {
            SEEN.add(LOCKS.holdfast());
        }

        @Test
        void holdfast_second_works() {
            SEEN.add(LOCKS.holdfast());
        }
    }

    @Test
    void afterEach_anotherExtensionFailedBefore_keepsTheNodesOfTheClass() {
        execute(OfBrokenClass.class)
                .testEvents()
                .assertStatistics(events -> events.succeeded(1).failed(1));

        assertThat(SEEN).hasSize(1);
    }

    /** A nested class whose own annotation differs. */
    @HoldfastTest
    static class Outer {

        @Nested
        @HoldfastTest(servers = 3)
        class Inner {

            @Test
            void isNotRun() {}
        }

        @Nested
        @HoldfastTest
        class Alike {

            @Test
            void holdfast_nested_isThatOfTheOuterClass(Holdfast holdfast) {
                SEEN.add(holdfast);
            }
        }
    }

    @Test
    void beforeAll_nestedClassWantsOtherServers_isRefused() {
        EngineExecutionResults results = execute(Outer.class);

        results.containerEvents()
                .failed()
                .assertEventsMatchExactly(event(finishedWithFailure(message(
                        text -> text.startsWith("servers 3 of Inner differs from the 0 of the class around it")))));
        assertThat(SEEN).hasSize(1);
    }

    /** A class that is constructed before its extensions are called. */
    @HoldfastTest
    @TestInstance(TestInstance.Lifecycle.PER_CLASS)
    static class OneInstance {

        OneInstance(Holdfast holdfast) {
            SEEN.add(holdfast);
        }

        @Test
        void isNotRun() {}
    }

    @Test
    void constructor_ofOneInstanceForAllTests_saysWhatToDo() {
        execute(OneInstance.class)
                .containerEvents()
                .failed()
                .assertEventsMatchExactly(
                        event(finishedWithFailure(message(text -> text.contains("give its methods the parameter")))));
    }

    @Test
    void holdfast_noTestRuns_saysWhatToDo() {
        assertThatThrownBy(() -> HoldfastExtension.inMemory().holdfast())
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("@RegisterExtension");
    }

    @HoldfastTest(servers = -1)
    static class Negative {

        @Test
        void isNotRun() {}
    }

    @HoldfastTest(servers = 10)
    static class TooMany {

        @Test
        void isNotRun() {}
    }

    @ParameterizedTest
    @CsvSource({
        "-1, io.holdfast.test.HoldfastExtensionTest$Negative",
        "10, io.holdfast.test.HoldfastExtensionTest$TooMany"
    })
    void beforeAll_numberOutOfRange_isRefused(int servers, Class<?> tests) {
        execute(tests)
                .containerEvents()
                .failed()
                .assertEventsMatchExactly(event(finishedWithFailure(
                        instanceOf(IllegalArgumentException.class),
                        message("servers " + servers + " of " + tests.getSimpleName()
                                + " is out of range; give 1 to 9, or 0 for a node in memory"))));
    }

    /** As Spring's annotation of the same name. */
    @Retention(RetentionPolicy.RUNTIME)
    @interface Autowired {}

    /** Resolves what has the annotation, as Spring's extension does. */
    static final class OfSpring implements ParameterResolver {
        @Override
        public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
            return parameter.isAnnotated(Autowired.class)
                    || parameter.getDeclaringExecutable().isAnnotationPresent(Autowired.class);
        }

        @Override
        public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
            return OF_SPRING;
        }
    }

    private static final Holdfast OF_SPRING =
            Holdfast.forTesting(List.of(new InMemoryNode("a", new VirtualTime())), new VirtualTime(), new Random(1));

    /** The client of the application comes from Spring. */
    @HoldfastTest
    @ExtendWith(OfSpring.class)
    static class WithSpring {
        private final Holdfast constructed;

        @Autowired
        WithSpring(Holdfast constructed) {
            this.constructed = constructed;
        }

        @Test
        void parameter_annotated_isThatOfTheOtherExtension(@Autowired Holdfast annotated, Holdfast own) {
            assertThat(annotated).isSameAs(constructed).isSameAs(OF_SPRING).isNotSameAs(own);
        }
    }

    @Test
    void parameter_ofAnotherExtension_isNotClaimed() {
        run(WithSpring.class, 1);
    }

    @Test
    void onServers_numberOutOfRange_isRefused() {
        assertThatThrownBy(() -> HoldfastExtension.onServers(0))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("servers 0 is out of range");
    }
}
