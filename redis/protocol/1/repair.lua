-- Extends the lock, or sets it again where it is gone, for an owner whose hold a majority has just confirmed. Never
-- takes another owner's key. The proposed fence is new, so that a copy of the repair that arrives after its release is
-- stale.
-- KEYS: 1 the lock, 2 the fence, 3 the marker
-- ARGV: 1 the owner, 2 the time left in ms, 3 the proposed fence, 4 the run id, 5 the configuration
-- Returns the replies of acquire.
-- @include lib/marker
-- @include lib/fence_accept
-- @include lib/fence_bounds
-- @include lib/fence_check
-- @include lib/take_exclusive
-- @include lib/extend_ttl
local marker_run, admitted, agreed_config, floor, gmax = read_marker()
local rejection = node_rejection_of_set(marker_run, admitted, agreed_config, ARGV[4], ARGV[5])
if rejection then return rejection end
local values = redis.call('MGET', KEYS[1], KEYS[2])
local holder, fence = values[1], values[2]
if holder == ARGV[1] then
  extend_ttl(KEYS[1], ARGV[2])
  return 'granted'
end
if holder then return refused(KEYS[1], fence) end
return fence_rejection(fence, floor, gmax, ARGV[3]) or take_exclusive(gmax, ARGV[1], ARGV[2], ARGV[3])
