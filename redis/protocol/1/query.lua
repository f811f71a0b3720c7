-- Asks whether a waiter for an exclusive lock should make another attempt. Writes nothing, so that very many waiters cost a
-- server little.
-- KEYS: 1 the lock; 2 the fence; 3 the marker; 4 the wait queue; 5 the reservation; 6 the shared holders; 7 the standing
--       claims.
-- ARGV: 1 the owner; 2 the queue entry of the waiter or ''.
-- Returns {'refused', ms left, fence, clock, start of the holder's token} if another client has the lock and the waiter
-- is queued, so that it will be notified; else 'granted'.
-- @include lib/marker
local values = redis.call('MGET', KEYS[1], KEYS[2], KEYS[5])
local holder, fence, reserved = values[1], values[2], values[3]
local is_others = holder and holder ~= ARGV[1] or not holder and reserved and reserved ~= ARGV[2]
if not is_others or type(redis.pcall('ZSCORE', KEYS[4], ARGV[2])) ~= 'string' then return 'granted' end
-- @include lib/fence_bounds
-- @include lib/standing_claims
-- @include lib/wait_queue
return refused_acquire(holder, fence)
