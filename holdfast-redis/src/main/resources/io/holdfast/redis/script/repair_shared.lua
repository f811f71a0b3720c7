-- Extends a share or, where it is gone, gives it again, for an owner whose hold a majority has just confirmed. Never takes the key of
-- an exclusive owner. The proposed number is fresh, as in repair.
-- KEYS: 1 the lock, 2 the fence, 3 the marker, 4 the line, 5 whoever was called, 6 the shares
-- ARGV: 1 the owner, 2 the time left in ms, 3 the proposed number, 4 the run, 5 the fleet
-- Returns as acquire does.
-- @include lib/marker
-- @include lib/fence_accept
-- @include lib/fence_bounds
-- @include lib/fence_check
-- @include lib/extend_ttl
-- @include lib/shared_holds
-- @include lib/wait_queue
-- @include lib/reservation
-- @include lib/extend_shared_hold
local run, admitted, fleet, floor, gmax = marker()
local bar = barred(run, admitted, fleet, ARGV[4], ARGV[5])
if bar then return bar end
local kept = redis.call('MGET', KEYS[1], KEYS[2])
local holder, fence = kept[1], kept[2]
local yes = prolong_share(holder, fence, ARGV[1], ARGV[2])
if yes then return yes end
if holder and holder ~= SHARED then return refused(KEYS[1], fence) end
local no = objection(fence, floor, gmax, ARGV[3])
if no then return no end
return take_share(holder, gmax, ARGV[1], ARGV[2], ARGV[3])
