-- A lock without a fence, with the same quarantine; to compare with.
local m = redis.call('HMGET', KEYS[3], 'run', 'admitted', 'fleet')
local bar = barred(m[1], m[2], m[3], ARGV[4], ARGV[5])
if bar then return bar end
local holder = redis.call('GET', KEYS[1])
if holder == ARGV[1] then return {'granted'} end
if holder then return {'refused', redis.call('PTTL', KEYS[1]), '0'} end
redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])
return {'granted'}
