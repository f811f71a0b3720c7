-- Extends a shared hold to at least the ttl from now, if this owner has one. Converts an exclusive hold of this owner
-- to a shared one. Creates nothing else and never shortens.
-- KEYS: 1 the lock, 2 the fence, 3 the marker, 4 the wait queue, 5 the reservation, 6 the shared holders,
--       7 the standing claims
-- ARGV: 1 the owner, 2 the ttl in ms
-- Returns 'granted' or {'refused', ms left of another owner's exclusive hold, fence}.
-- @include lib/marker
-- @include lib/fence_accept
-- @include lib/fence_bounds
-- @include lib/extend_ttl
-- @include lib/shared_holds
-- @include lib/standing_claims
-- @include lib/wait_queue
-- @include lib/reservation
-- @include lib/extend_shared_hold
local values = redis.call('MGET', KEYS[1], KEYS[2])
local holder, fence = values[1], values[2]
return extend_shared_hold(holder, fence, ARGV[1], ARGV[2]) or refused(holder and holder ~= SHARED and KEYS[1], fence)
