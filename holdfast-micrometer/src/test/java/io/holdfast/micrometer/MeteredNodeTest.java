package io.holdfast.micrometer;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.node.LockNode;
import java.lang.reflect.Method;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

class MeteredNodeTest {

    /** The defaults of the interface stand for a node that cannot do something, which would hide what the node can. */
    @Test
    void methods_ofANode_areForwarded() {
        assertThat(LockNode.class.getDeclaredMethods())
                .filteredOn(method -> !method.isSynthetic())
                .allSatisfy(method -> assertThat(declares(method))
                        .as("%s is overridden", method)
                        .isTrue());
    }

    private static boolean declares(Method method) {
        return Arrays.stream(MeteredNode.class.getDeclaredMethods())
                .anyMatch(own -> own.getName().equals(method.getName())
                        && Arrays.equals(own.getParameterTypes(), method.getParameterTypes()));
    }
}
