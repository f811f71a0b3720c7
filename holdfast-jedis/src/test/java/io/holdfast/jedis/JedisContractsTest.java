package io.holdfast.jedis;

import org.junit.jupiter.api.Tag;
import io.holdfast.testkit.contract.RedisClientContract;

@Tag("server")
class JedisContractsTest extends RedisClientContract {}
