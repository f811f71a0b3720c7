-- Extends a shared hold, or sets it again where it is gone, for an owner whose hold a majority has just confirmed.
-- Never takes an exclusive owner's key. The proposed fence is new, as in repair.
-- KEYS: 1 the lock, 2 the fence, 3 the marker, 4 the wait queue, 5 the reservation, 6 the shared holders,
--       7 the standing claims
-- ARGV: 1 the owner, 2 the time left in ms, 3 the proposed fence, 4 the run id, 5 the configuration
-- Returns the replies of acquire.
-- @include lib/marker
-- @include lib/fence_accept
-- @include lib/fence_bounds
-- @include lib/fence_check
-- @include lib/extend_ttl
-- @include lib/shared_holds
-- @include lib/standing_claims
-- @include lib/wait_queue
-- @include lib/reservation
-- @include lib/extend_shared_hold
local marker_run, admitted, agreed_config, floor, gmax = read_marker()
local rejection = node_rejection_of_set(marker_run, admitted, agreed_config, ARGV[4], ARGV[5])
if rejection then return rejection end
local values = redis.call('MGET', KEYS[1], KEYS[2])
local holder, fence = values[1], values[2]
local extended = extend_shared_hold(holder, fence, ARGV[1], ARGV[2])
if extended then return extended end
if holder and holder ~= SHARED then return refused(KEYS[1], fence) end
rejection = fence_rejection(fence, floor, gmax, ARGV[3])
if rejection then return rejection end
return take_shared(holder, gmax, ARGV[1], ARGV[2], ARGV[3])
