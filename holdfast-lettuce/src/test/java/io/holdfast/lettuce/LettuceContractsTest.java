package io.holdfast.lettuce;

import io.holdfast.testkit.contract.RedisClientContract;
import org.junit.jupiter.api.Tag;

@Tag("server")
class LettuceContractsTest extends RedisClientContract {}
