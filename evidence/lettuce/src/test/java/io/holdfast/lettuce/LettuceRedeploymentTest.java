package io.holdfast.lettuce;

import io.holdfast.testkit.contract.RedeploymentContract;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

@Tag("server")
@Tag("evidence")
@Execution(ExecutionMode.CONCURRENT)
class LettuceRedeploymentTest extends RedeploymentContract {}
