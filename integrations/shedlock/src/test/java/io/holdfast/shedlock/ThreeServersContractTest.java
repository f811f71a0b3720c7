package io.holdfast.shedlock;

import io.holdfast.test.HoldfastExtension;
import java.util.concurrent.ExecutionException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** ShedLock's contract on three servers. */
@Tag("server")
class ThreeServersContractTest extends ProviderContract {

    @RegisterExtension
    static final HoldfastExtension LOCKS = HoldfastExtension.onServers(3);

    ThreeServersContractTest() {
        super(LOCKS);
    }

    /** Random calls of many threads, which need several seconds of a processor. */
    @Test
    @Override
    @Tag("evidence")
    public void fuzzTestShouldPass() throws ExecutionException, InterruptedException {
        super.fuzzTestShouldPass();
    }
}
