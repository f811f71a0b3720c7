package io.holdfast.jedis;

import io.holdfast.testkit.hostile.HostileClientContract;
import org.junit.jupiter.api.Tag;

@Tag("server")
class JedisHostileClientTest extends HostileClientContract {}
