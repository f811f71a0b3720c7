-- Takes the lock if it is free and not reserved for another waiter, and the proposed fence is above every accepted
-- fence.
-- KEYS: 1 the lock; 2 the fence; 3 the marker; 4 the wait queue; 5 the reservation.
-- ARGV: 1 the owner; 2 the ttl in ms; 3 the proposed fence; 4 the greatest fence of the attempt; 5 the run id; 6 the
--       configuration; 7 the queue entry of a waiter or ''; 8 its ticket number; 9 '1' if the claim is fair
-- Returns {'granted'}, also if this owner holds the lock already, {'refused', ms left, fence, clock, start of the
-- holder's token}, {'stale', fence}, {'ahead', the node's present}, {'quarantined', ms observed} or {'conflict', the
-- agreed configuration}.
-- @include lib/marker
-- @include lib/fence_accept
-- @include lib/take_exclusive
local values = redis.call('MGET', KEYS[1], KEYS[2], KEYS[5])
local holder, fence, reserved = values[1], values[2], values[3]
local marker_run, admitted, agreed_config, floor, gmax = read_marker()
local rejection = node_rejection(marker_run, admitted, agreed_config, ARGV[5], ARGV[6])
if rejection then return rejection end
if holder == ARGV[1] then return {'granted'} end
local entry = ARGV[7]
-- The fast path: most locks are free, with an empty queue. It precedes the other parts, since Lua builds functions in
-- every call.
if fence and not holder and not reserved and entry == '' and ARGV[9] ~= '1' and not is_above(ARGV[3], gmax) then
  return stale_reply(fence, floor, ARGV[3]) or take_exclusive(gmax, ARGV[1], ARGV[2], ARGV[4])
end
-- @include lib/fence_bounds
-- @include lib/fence_check
-- @include lib/wait_queue
-- @include acquire_queued
