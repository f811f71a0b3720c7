package io.holdfast.lettuce;

import org.junit.jupiter.api.Tag;
import io.holdfast.testkit.contract.RedisClientContract;

@Tag("server")
class LettuceContractsTest extends RedisClientContract {}
