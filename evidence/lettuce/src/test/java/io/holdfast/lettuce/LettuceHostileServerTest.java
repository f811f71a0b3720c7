package io.holdfast.lettuce;

import io.holdfast.testkit.hostile.HostileServerContract;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.parallel.Isolated;

/** Isolated, because it counts the threads of all clients. */
@Tag("server")
@Isolated
class LettuceHostileServerTest extends HostileServerContract {}
