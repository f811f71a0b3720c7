package io.holdfast.lettuce;

import io.holdfast.testkit.contract.RedisClientContract;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

@Tag("server")
@Execution(ExecutionMode.CONCURRENT)
class LettuceContractsTest extends RedisClientContract {}
