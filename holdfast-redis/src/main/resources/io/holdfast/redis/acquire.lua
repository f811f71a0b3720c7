-- Takes the lock if it is free and the proposed fence is above every fence that was accepted before.
-- KEYS: 1 the lock, 2 the fence, 3 the marker
-- ARGV: 1 the owner, 2 the ttl in ms, 3 the proposed fence, 4 the run, 5 the fleet
-- Returns {'granted'} also if this owner holds it already, {'refused', ms left, fence}, {'stale', fence}, {'ahead', the number
-- that the node takes for the present}, {'quarantined', ms watched} or {'conflict', the fleet of the others}.
local m = marker()
local bar = barred(m, ARGV[4], ARGV[5])
if bar then return bar end
local holder = redis.call('GET', KEYS[1])
if holder == ARGV[1] then return {'granted'} end
if holder then return refused(holder) end
local now = clock()
turn(m, now)
local accepted = greatest(fence(), m.floor)
if not above(ARGV[3], accepted) then return {'stale', accepted} end
if ahead(m, now, ARGV[3]) then return {'ahead', present(m, now)} end
return take(m, ARGV[1], ARGV[2], ARGV[3])
