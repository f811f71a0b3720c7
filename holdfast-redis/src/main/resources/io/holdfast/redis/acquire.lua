-- Takes the lock if it is free and the proposed fence is above every fence that was accepted before.
-- KEYS: 1 the lock, 2 the fence
-- ARGV: 1 the owner, 2 the ttl in ms, 3 the proposed fence
-- Returns {'granted'} also if this owner holds it already, {'refused', ms left, fence}, or {'stale', fence}.
local holder = redis.call('GET', KEYS[1])
if holder == ARGV[1] then return {'granted'} end
if holder then return refused(holder) end
local accepted = fence()
if not above(ARGV[3], accepted) then return {'stale', accepted} end
redis.call('SET', KEYS[2], ARGV[3])
-- The lock comes last: where a write fails, no lock is left.
redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])
return {'granted'}
