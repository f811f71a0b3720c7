package io.holdfast.node;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import org.junit.jupiter.api.Test;

class ProcessLimitTest {

    @Test
    void of_eachLimitOfTheProcess_isFoundAndRecognizedInACause() {
        assertThat(ProcessLimit.of(new OutOfMemoryError("unable to create native thread: possibly out of memory")))
                .contains(ProcessLimit.THREADS);
        assertThat(ProcessLimit.of(new IOException("Too many open files"))).contains(ProcessLimit.DESCRIPTORS);
        for (ProcessLimit limit : ProcessLimit.values()) {
            assertThat(ProcessLimit.isIn("not connected: " + limit.explanation()))
                    .isTrue();
        }
    }

    @Test
    void of_otherFailure_isNoLimit() {
        assertThat(ProcessLimit.of(new OutOfMemoryError("Java heap space"))).isEmpty();
        assertThat(ProcessLimit.of(new IOException("Too many open files in system")))
                .isEmpty();
        assertThat(ProcessLimit.isIn("not connected: connection refused")).isFalse();
    }
}
