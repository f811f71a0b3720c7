-- Extends the lock or, where it is gone, sets it again, for an owner whose hold a majority has just confirmed. Never takes the key of
-- another owner. The proposed number is fresh, so that a copy of the repair that arrives after its release is stale.
-- KEYS: 1 the lock, 2 the fence, 3 the marker
-- ARGV: 1 the owner, 2 the time left in ms, 3 the proposed number, 4 the run, 5 the fleet
-- Returns as acquire does.
-- @include lib/marker
-- @include lib/fence_accept
-- @include lib/fence_bounds
-- @include lib/fence_check
-- @include lib/take_exclusive
-- @include lib/extend_ttl
local run, admitted, fleet, floor, gmax = marker()
local bar = barred(run, admitted, fleet, ARGV[4], ARGV[5])
if bar then return bar end
local kept = redis.call('MGET', KEYS[1], KEYS[2])
local holder, fence = kept[1], kept[2]
if holder == ARGV[1] then
  prolong(KEYS[1], ARGV[2])
  return {'granted'}
end
if holder then return refused(KEYS[1], fence) end
return objection(fence, floor, gmax, ARGV[3]) or take(gmax, ARGV[1], ARGV[2], ARGV[3])
