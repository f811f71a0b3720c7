package io.holdfast.reactor;

import io.holdfast.test.HoldfastExtension;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Random cancellations in memory. */
@Tag("slow")
@Tag("evidence")
class InMemoryCancellationTest extends CancellationContract {

    @RegisterExtension
    static final HoldfastExtension LOCKS = HoldfastExtension.inMemory();

    InMemoryCancellationTest() {
        super(LOCKS);
    }
}
