-- The bounds of the fences of all resources, and the server's clock. Included after the fast path, which needs neither.

-- How far a proposed fence may lie above the present: more than the clocks of clients should differ.
local MAX_LEAD_MICROS = 10000000
-- A fence that was accepted in one period is below the floor two periods later.
local PERIOD_MICROS = 600000000

-- Returns the server's clock in microseconds. Every number here is below 2^53, so a Lua number holds it exactly.
local function clock_micros()
  local time = redis.call('TIME')
  return tonumber(time[1]) * 1000000 + tonumber(time[2])
end

-- Starts a new period if one is due. Returns the floor and, if the proposal is too far above it, the present. Called
-- when a fence is missing, since it may have expired, and when a proposal is above gmax.
--
-- At the start of each period, the floor becomes the gmax of the period before. So a fence is below the floor after two
-- periods, and may expire after three.
--
-- The present is the greatest of the clock and the fences that the node knows. A proposal far above it comes from a
-- client whose clock is far in the future. Accepting it would make every later token as large.
local function refresh_bounds(floor, gmax, proposed)
  local now = clock_micros()
  local last = redis.call('HMGET', KEYS[3], 'previous_gmax', 'period_start')
  local previous_gmax, since = last[1] or '0', now - tonumber(last[2] or '0')
  now = string.format('%.0f', now)
  if since < 0 or since >= PERIOD_MICROS then
    -- A clock that was set back restarts the period, so that no fence expires before the floor exceeds it.
    if since >= PERIOD_MICROS then
      floor = greatest(floor, since < 2 * PERIOD_MICROS and previous_gmax or gmax)
      previous_gmax = gmax
    end
    redis.call('HSET', KEYS[3], 'period_start', now, 'previous_gmax', previous_gmax, 'floor', floor)
    redis.call('HDEL', KEYS[3], 'summary')
  end
  local present = greatest(greatest(floor, gmax), now)
  return floor, tonumber(proposed) > tonumber(present) + MAX_LEAD_MICROS and present
end
