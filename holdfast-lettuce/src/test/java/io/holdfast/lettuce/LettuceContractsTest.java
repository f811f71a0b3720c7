package io.holdfast.lettuce;

import io.holdfast.testkit.contract.RedisClientContract;

class LettuceContractsTest extends RedisClientContract {}
