package io.holdfast.jedis;

import io.holdfast.testkit.contract.RedisClientContract;

class JedisContractsTest extends RedisClientContract {}
