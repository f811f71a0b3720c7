-- Releases the lock if this owner holds it, and seals the attempt: a claim or a repair of it that arrives later is
-- stale. A node that accepted the greatest fence of the attempt accepts only greater ones and needs no seal. Then carries
-- out the claim of the next waiter, or notifies it.
-- KEYS: 1 the lock; 2 the fence; 3 the marker; 4 the wait queue; 5 the reservation; 6 the shared holders; 7 the standing
--       claims.
-- ARGV: 1 the owner; 2 the greatest fence that the attempt sent to this node; 3 the queue entry of a waiter or ''; 4 its
--       ticket number; 5 '1' if the waiter is queued again; 6 '1' if the claim of the next waiter may be carried out; 7
--       the run id.
-- Returns 'granted' or {'refused', ms left of another owner's hold, fence}.
local values = redis.call('MGET', KEYS[1], KEYS[2])
local holder, fence = values[1], values[2]
local was_held = holder == ARGV[1]
if was_held then
  -- The deletion comes first: a server out of memory lets a script continue once it has freed something.
  redis.call('DEL', KEYS[1])
end
local is_sealed = was_held and fence and (#fence > #ARGV[2] or (#fence == #ARGV[2] and fence >= ARGV[2]))
-- The fast path: most queues are empty, so their keys do not exist.
if is_sealed and ARGV[3] == '' and redis.call('PTTL', KEYS[4]) == -2 then return 'granted' end
-- @include lib/marker
-- @include lib/fence_accept
-- @include lib/fence_bounds
-- @include lib/fence_check
-- @include lib/take_exclusive
-- @include lib/extend_ttl
-- @include lib/shared_holds
-- @include lib/standing_claims
-- @include lib/wait_queue
-- @include lib/standing_grant
-- @include lib/reservation
-- @include lib/hand_over
-- @include release_queued
