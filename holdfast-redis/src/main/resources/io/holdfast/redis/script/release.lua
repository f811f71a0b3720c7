-- Releases the lock if this owner holds it, and seals the attempt: a claim or a repair of it that arrives later is
-- stale. A node that accepted the greatest fence of the attempt accepts only greater ones and needs no seal. Then
-- notifies the next waiter.
-- KEYS: 1 the lock, 2 the fence, 3 the marker, 4 the wait queue, 5 the reservation
-- ARGV: 1 the owner, 2 the greatest fence that the attempt sent to this node, 3 the queue entry of a waiter or '', 4
--       its ticket number, 5 '1' if the waiter is queued again
-- Returns {'granted'} or {'refused', ms left of another owner's hold, fence}.
-- @include lib/marker
local values = redis.call('MGET', KEYS[1], KEYS[2])
local holder, fence = values[1], values[2]
local was_held = holder == ARGV[1]
if was_held then
  -- The deletion comes first: a server out of memory lets a script continue once it has freed something.
  redis.call('DEL', KEYS[1])
end
local is_sealed = was_held and fence and not is_above(ARGV[2], fence)
if is_sealed and ARGV[3] == '' and not redis.pcall('ZRANGE', KEYS[4], 0, 0)[1] then return {'granted'} end
-- @include lib/fence_bounds
-- @include lib/wait_queue
-- @include lib/reservation
-- @include lib/hand_over
-- @include release_queued
