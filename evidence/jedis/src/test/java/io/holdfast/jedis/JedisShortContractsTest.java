package io.holdfast.jedis;

import io.holdfast.testkit.contract.ClientSpecificContract;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.condition.DisabledIfSystemProperty;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** The contracts of the build; in the evidence, {@link JedisContractsTest} has all, on servers of its own. */
@Tag("server")
@Execution(ExecutionMode.CONCURRENT)
@DisabledIfSystemProperty(named = "holdfast.evidence", matches = "true", disabledReason = "JedisContractsTest has them")
class JedisShortContractsTest extends ClientSpecificContract {}
