package io.holdfast.jedis;

import io.holdfast.testkit.contract.RedisClientContract;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** All contracts, in the evidence; {@link JedisShortContractsTest} has those that depend on the client the most. */
@Tag("server")
@Tag("evidence")
@Execution(ExecutionMode.CONCURRENT)
class JedisContractsTest extends RedisClientContract {}
