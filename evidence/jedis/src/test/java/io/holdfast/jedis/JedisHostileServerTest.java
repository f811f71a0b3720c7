package io.holdfast.jedis;

import io.holdfast.testkit.hostile.HostileServerContract;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.parallel.Isolated;

/** Isolated, because it counts the threads of all clients. */
@Tag("server")
@Tag("evidence")
@Isolated
class JedisHostileServerTest extends HostileServerContract {}
