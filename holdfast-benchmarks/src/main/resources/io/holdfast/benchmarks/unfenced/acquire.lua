-- A lock without fence and quarantine, as other libraries take it; to compare with.
local holder = redis.call('GET', KEYS[1])
if holder == ARGV[1] then return {'granted'} end
if holder then return {'refused', redis.call('PTTL', KEYS[1]), '0'} end
redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])
return {'granted'}
