-- Takes the lock if it is free, not kept for another, and the proposed fence is above every fence that was accepted before.
-- KEYS: 1 the lock, 2 the fence, 3 the marker, 4 the line, 5 whoever was called
-- ARGV: 1 the owner, 2 the ttl in ms, 3 the proposed fence, 4 the greatest of the attempt, 5 the run, 6 the fleet,
--       7 the inbox of a client that waits or '', 8 the number of its ticket, 9 '1' if it is fair
-- Returns {'granted'} also if this owner holds it already, {'refused', ms left, fence, clock}, {'stale', fence}, {'ahead', the
-- number that the node takes for the present}, {'quarantined', ms watched} or {'conflict', the fleet of the others}.
local kept = redis.call('MGET', KEYS[1], KEYS[2], KEYS[5])
local holder, fence, called = kept[1], kept[2], kept[3]
local run, admitted, fleet, floor, gmax = marker()
local bar = barred(run, admitted, fleet, ARGV[5], ARGV[6])
if bar then return bar end
if holder == ARGV[1] then return {'granted'} end
local inbox = ARGV[7]
if ARGV[9] == '1' and not holder and not called then
  enter(inbox, ARGV[8])
  if first_in_line() ~= inbox then called = call_next(fence or '0') end
end
if holder or (called and called ~= inbox) then
  if inbox ~= '' then enter(inbox, ARGV[8]) end
  return refused_in_line(holder, fence)
end
local no = objection(fence, floor, gmax, ARGV[3])
if no then return no end
if inbox ~= '' then
  redis.call('ZREM', KEYS[4], inbox)
  redis.call('DEL', KEYS[5])
end
return take(gmax, ARGV[1], ARGV[2], ARGV[4])
