package io.holdfast.lettuce;

import io.holdfast.testkit.hostile.HostileClientContract;
import org.junit.jupiter.api.Tag;

@Tag("server")
@Tag("slow")
class LettuceHostileClientTest extends HostileClientContract {}
