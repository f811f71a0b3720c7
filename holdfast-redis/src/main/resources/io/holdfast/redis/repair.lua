-- Extends the lock or, where it is gone, sets it again, for an owner whose hold a majority has just confirmed. Never over a
-- greater fence: another has held the lock since.
-- KEYS: 1 the lock, 2 the fence, 3 the marker
-- ARGV: 1 the owner, 2 the time left in ms, 3 the fence of the hold, 4 the run, 5 the fleet
-- Returns as acquire does.
local m = marker()
local bar = barred(m, ARGV[4], ARGV[5])
if bar then return bar end
local holder = redis.call('GET', KEYS[1])
if holder == ARGV[1] then return prolong(ARGV[2]) end
if holder then return refused(holder) end
local accepted = fence()
if above(accepted, ARGV[3]) then return {'stale', accepted} end
return take(m, ARGV[1], ARGV[2], ARGV[3])
