-- Takes the lock if it is free and the proposed fence is above every fence that was accepted before.
-- KEYS: 1 the lock, 2 the fence, 3 the marker
-- ARGV: 1 the owner, 2 the ttl in ms, 3 the proposed fence, 4 the run, 5 the fleet
-- Returns {'granted'} also if this owner holds it already, {'refused', ms left, fence}, {'stale', fence}, {'ahead', the number
-- that the node takes for the present}, {'quarantined', ms watched} or {'conflict', the fleet of the others}.
local kept = redis.call('MGET', KEYS[1], KEYS[2])
local holder, fence = kept[1], kept[2]
local run, admitted, fleet, floor, gmax = marker()
local bar = barred(run, admitted, fleet, ARGV[4], ARGV[5])
if bar then return bar end
if holder == ARGV[1] then return {'granted'} end
if holder then return refused(holder, fence) end
local present
if not fence or above(ARGV[3], gmax) then floor, present = judge(floor, gmax, ARGV[3]) end
local accepted = greatest(fence or '0', floor)
if not above(ARGV[3], accepted) then return {'stale', accepted} end
if present then return {'ahead', present} end
return take(gmax, ARGV[1], ARGV[2], ARGV[3])
