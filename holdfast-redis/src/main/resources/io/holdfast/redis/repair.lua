-- Extends the lock or, where it is gone, sets it again, for an owner whose hold a majority has just confirmed. Never over a
-- greater fence: another has held the lock since.
-- KEYS: 1 the lock, 2 the fence, 3 the marker
-- ARGV: 1 the owner, 2 the time left in ms, 3 the greatest fence of the attempt, 4 the run, 5 the fleet
-- Returns as acquire does.
local run, admitted, fleet, floor, gmax = marker()
local bar = barred(run, admitted, fleet, ARGV[4], ARGV[5])
if bar then return bar end
local holder = redis.call('GET', KEYS[1])
if holder == ARGV[1] then
  prolong(KEYS[1], ARGV[2])
  return {'granted'}
end
local fence = redis.call('GET', KEYS[2])
if holder then return refused(KEYS[1], fence) end
local no = objection_to_repair(fence, floor, gmax, ARGV[3])
if no then return no end
return take(gmax, ARGV[1], ARGV[2], ARGV[3])
