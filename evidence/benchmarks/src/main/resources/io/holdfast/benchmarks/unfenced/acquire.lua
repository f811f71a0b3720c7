-- An uncontended lock without a fence, as fast as the fast path of the library and for nodes that are declared durable;
-- to measure the cost of a fence.
local values = redis.call('MGET', KEYS[1], KEYS[5])
if values[1] or values[2] then return {'refused', redis.call('PTTL', KEYS[1]), '0'} end
local agreed_config = redis.call('HGET', KEYS[3], 'config')
if agreed_config and agreed_config ~= ARGV[6] then return {'conflict', agreed_config} end
redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])
return 'granted'
