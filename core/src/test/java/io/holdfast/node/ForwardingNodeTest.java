package io.holdfast.node;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Method;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class ForwardingNodeTest {

    /** Otherwise a node with a wrapper would silently lack what has a default. */
    @Test
    void methods_ofANode_areForwarded() {
        assertThat(names(ForwardingNode.class)).contains(names(LockNode.class));
    }

    private static String[] names(Class<?> type) {
        return Stream.of(type.getDeclaredMethods())
                .filter(method -> !method.isSynthetic())
                .map(Method::getName)
                .filter(name -> !name.equals("askAll"))
                .toArray(String[]::new);
    }
}
