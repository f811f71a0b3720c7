package io.holdfast.jedis;

import io.holdfast.testkit.hostile.HostileClientContract;
import org.junit.jupiter.api.Tag;

/** In the evidence only: what the keys contain is read by code that Lettuce and Jedis share. */
@Tag("server")
@Tag("evidence")
class JedisHostileClientTest extends HostileClientContract {}
