-- Takes a lock without a fence, with the same quarantine, for a comparison of the costs. Serves no waiters.
-- KEYS and ARGV: as in the library's script of this name.
-- @include lib/marker
local values = redis.call('MGET', KEYS[1], KEYS[5])
local holder, reserved = values[1], values[2]
local marker = redis.call('HMGET', KEYS[3], 'run', 'admitted', 'fleet')
local rejection = rejection_reason(marker[1], marker[2], marker[3], ARGV[5], ARGV[6])
if rejection then return rejection end
if holder == ARGV[1] then return {'granted'} end
if holder or reserved then return {'refused', redis.call('PTTL', KEYS[1]), '0'} end
redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])
return {'granted'}
