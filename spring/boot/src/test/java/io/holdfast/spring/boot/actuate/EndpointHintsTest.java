package io.holdfast.spring.boot.actuate;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.predicate.RuntimeHintsPredicates;

/** Tests that a native image can write each part of an answer of the endpoint. */
class EndpointHintsTest {

    @ParameterizedTest
    @ValueSource(
            classes = {
                HoldfastEndpoint.Overview.class,
                HoldfastEndpoint.Lock.class,
                HoldfastEndpoint.Node.class,
                JobView.class,
                JobView.Run.class,
                LeaseTable.HeldLock.class
            })
    void hints_answer_canBeRead(Class<?> part) throws NoSuchMethodException {
        RuntimeHints hints = new RuntimeHints();

        new HoldfastEndpointAutoConfiguration.Answers()
                .registerHints(hints, getClass().getClassLoader());

        assertThat(RuntimeHintsPredicates.reflection()
                        .onMethodInvocation(part.getDeclaredMethod(part.getRecordComponents()[0].getName())))
                .accepts(hints);
    }
}
