package io.holdfast.lettuce;

import io.holdfast.testkit.contract.EssentialsContract;
import io.lettuce.core.RedisURI;
import java.util.Optional;

/** Runs with several versions of Lettuce; the pom says which. */
class LettuceEssentialsTest extends EssentialsContract {

    @Override
    protected Optional<String> clientVersion() {
        return LettuceNodes.VERSION.found(RedisURI.class);
    }
}
