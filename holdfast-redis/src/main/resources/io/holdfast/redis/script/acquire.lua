-- Takes the lock if it is free, not kept for another, and the proposed fence is above every fence that was accepted before.
-- KEYS: 1 the lock, 2 the fence, 3 the marker, 4 the line, 5 whoever was called
-- ARGV: 1 the owner, 2 the ttl in ms, 3 the proposed fence, 4 the greatest of the attempt, 5 the run, 6 the fleet,
--       7 the inbox of a client that waits or '', 8 the number of its ticket, 9 '1' if it is fair
-- Returns {'granted'} also if this owner holds it already, {'refused', ms left, fence, clock, mark of the holder}, {'stale', fence}, {'ahead', the
-- number that the node takes for the present}, {'quarantined', ms watched} or {'conflict', the fleet of the others}.
-- @include lib/marker
-- @include lib/fence_accept
-- @include lib/take_exclusive
local kept = redis.call('MGET', KEYS[1], KEYS[2], KEYS[5])
local holder, fence, called = kept[1], kept[2], kept[3]
local run, admitted, fleet, floor, gmax = marker()
local bar = barred(run, admitted, fleet, ARGV[5], ARGV[6])
if bar then return bar end
if holder == ARGV[1] then return {'granted'} end
local inbox = ARGV[7]
-- Most locks are free, and nobody waits for them. The rest comes after this, since Lua makes its functions anew in each call.
if fence and not holder and not called and inbox == '' and ARGV[9] ~= '1' and not above(ARGV[3], gmax) then
  return stale(fence, floor, ARGV[3]) or take(gmax, ARGV[1], ARGV[2], ARGV[4])
end
-- @include lib/fence_bounds
-- @include lib/fence_check
-- @include lib/wait_queue
-- @include acquire_queued
