-- Takes the lock if it is free and not reserved for another waiter, and the proposed fence is above every accepted
-- fence.
-- KEYS: 1 the lock; 2 the fence; 3 the marker; 4 the wait queue; 5 the reservation; 6 the shared holders; 7 the
--       standing claims.
-- ARGV: 1 the owner; 2 the ttl in ms; 3 the proposed fence; 4 the greatest fence of the attempt; 5 the run id; 6 the
--       configuration; and of a waiter, 7 its queue entry; 8 its ticket number; 9 '1' if the claim is fair; 10 the ttl
--       and 11 the age in ms up to which its standing claim is carried out, '0' if it does not stand.
-- Returns 'granted', also if this owner holds the lock already, {'refused', ms left, fence, clock, start of the
-- holder's token}, {'stale', fence}, {'ahead', the node's present}, {'quarantined', ms observed} or {'conflict', the
-- agreed configuration}.
local FENCE_MILLIS = 1800000
local values = redis.call('MGET', KEYS[1], KEYS[2], KEYS[5])
local holder, fence, reserved = values[1], values[2], values[3]
local proposed, greatest_fence, entry = ARGV[3], ARGV[4], ARGV[7] or ''
local summary
-- The fast path: most locks are free with an empty queue, and most fences lie between the bounds of the summary, which
-- lib/summary.lua describes. It precedes the other parts, since Lua builds functions in every call.
if fence and not holder and not reserved and entry == '' and #fence == 16 and #proposed == 16 and proposed > fence then
  summary = redis.call('HGET', KEYS[3], 'summary')
  if summary and proposed > string.sub(summary, 1, 16)
    and #greatest_fence == 16 and greatest_fence <= string.sub(summary, 17, 32)
    and string.sub(summary, 88) == ARGV[5] .. ' ' .. ARGV[6]
    and (ARGV[5] == '' or string.find(redis.call('INFO', 'replication'), string.sub(summary, 33, 87), 1, true)) then
    redis.call('SET', KEYS[2], greatest_fence, 'PX', tonumber(ARGV[2]) > FENCE_MILLIS and ARGV[2] or FENCE_MILLIS)
    if redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2], 'NX') then return 'granted' end
  end
end
-- @include lib/marker
-- @include lib/fence_accept
-- @include lib/take_exclusive
-- @include lib/fence_bounds
-- @include lib/fence_check
-- @include lib/summary
-- @include lib/standing_claims
-- @include lib/wait_queue
local marker_run, admitted, agreed_config, floor, gmax = read_marker()
local rejection = node_rejection(marker_run, admitted, agreed_config, ARGV[5], ARGV[6])
if rejection then return rejection end
if holder == ARGV[1] then return 'granted' end
-- @include acquire_queued
