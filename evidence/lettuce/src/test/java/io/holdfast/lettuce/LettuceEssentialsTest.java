package io.holdfast.lettuce;

import io.holdfast.testkit.contract.EssentialsContract;
import io.lettuce.core.RedisURI;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** The essential contract, which the pom runs with several versions of Lettuce. */
@Tag("server")
@Tag("evidence")
@Execution(ExecutionMode.CONCURRENT)
class LettuceEssentialsTest extends EssentialsContract {

    @Override
    protected Optional<String> clientVersion() {
        return LettuceNodes.VERSION.found(RedisURI.class);
    }
}
