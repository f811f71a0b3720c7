-- What is asked rarely; put after what sets a lock, and where scripts go by the clock.

-- How far above the clock a proposed fence may lie, in microseconds: 10 s, more than clocks of one fleet should differ.
local LEAD_MICROS = 10000000
-- What is accepted before a turn ends is below the floor after two of them.
local TURN_MICROS = 600000000

-- The server's clock in microseconds. Every number here is below 2^53, so a Lua number holds it exactly.
local function clock()
  local time = redis.call('TIME')
  return tonumber(time[1]) * 1000000 + tonumber(time[2])
end

-- For what is asked rarely: whenever a fence is missing, which may have expired (so that a fence that is there is never less than
-- one that has gone, unless the floor is above both), and when a proposal is above gmax. Returns the floor, and
-- what the node takes for the present if the proposal is too far above it.
--
-- Before the fence of a resource that nobody has locked for long expires, the floor is raised above it. At each turn, the floor
-- becomes gmax of the turn before; so a fence is below the floor after two turns, and expires after three.
--
-- The present is the greatest of the clock and of the fences that the node knows: clients agree on it to within their clocks'
-- differences. A proposal far above comes from a client with its clock in the far future; accepted, it would make every later
-- token as great.
local function judge(floor, gmax, proposed)
  local now = clock()
  local last = redis.call('HMGET', KEYS[3], 'older', 'turn')
  local older, since = last[1] or '0', now - tonumber(last[2] or '0')
  now = string.format('%.0f', now)
  if since < 0 or since >= TURN_MICROS then
    -- A clock that was set back begins a turn anew, and lets nothing expire earlier than the floor is raised.
    if since >= TURN_MICROS then
      floor = greatest(floor, since < 2 * TURN_MICROS and older or gmax)
      older = gmax
    end
    redis.call('HSET', KEYS[3], 'turn', now, 'older', older, 'floor', floor)
  end
  local present = greatest(greatest(floor, gmax), now)
  return floor, tonumber(proposed) > tonumber(present) + LEAD_MICROS and present
end
