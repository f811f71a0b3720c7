package io.holdfast.jedis;

import io.holdfast.testkit.contract.RedisClientContract;
import org.junit.jupiter.api.Tag;

@Tag("server")
class JedisContractsTest extends RedisClientContract {}
