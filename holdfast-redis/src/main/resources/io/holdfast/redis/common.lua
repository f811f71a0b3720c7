-- What the scripts share; put before each of them. KEYS: 1 the lock, 2 the fence, 3 the node's marker.

-- How far above the clock a proposed fence may lie, in microseconds: 10 s, more than clocks of one fleet should differ.
local LEAD_MICROS = 10000000
-- How long a fence stays after it was last accepted: three turns.
local TURN_MICROS = 600000000
local FENCE_MILLIS = 1800000

-- Whether the decimal number a is greater than b. Compared as strings: Lua's own numbers lose digits beyond 2^53, and are
-- printed with 14.
local function above(a, b)
  return #a > #b or (#a == #b and a > b)
end

local function greatest(a, b)
  if above(a, b) then return a end
  return b
end

-- The greatest fence that was accepted for the resource.
local function fence()
  return redis.call('GET', KEYS[2]) or '0'
end

local function accept(fence)
  redis.call('SET', KEYS[2], fence, 'PX', FENCE_MILLIS)
end

-- What the node keeps about itself: the process of this server that was admitted, or is watched, as a voter; the floor that
-- every fence has to be above; the greatest fence that was accepted (gmax), and the one at the last turn (older).
local function marker()
  local m = redis.call('HMGET', KEYS[3], 'run', 'admitted', 'fleet', 'watched', 'floor', 'gmax', 'older', 'turn')
  return {run = m[1], admitted = m[2], fleet = m[3], watched = m[4] or '0', floor = m[5] or '0', gmax = m[6] or '0',
    older = m[7] or '0', turn = tonumber(m[8] or '0')}
end

-- The server's clock in microseconds. Every number here is below 2^53, so a Lua number holds it exactly.
local function clock()
  local now = redis.call('TIME')
  return tonumber(now[1]) * 1000000 + tonumber(now[2])
end

-- The greatest of the clock and of the fences that the node knows: clients agree on it to within their clocks' differences.
local function present(m, now)
  return greatest(greatest(m.floor, m.gmax), string.format('%.0f', now))
end

-- Whether a proposal is so far above that a client with its clock in the far future must have made it. Accepted, it would
-- make every later token as great.
local function ahead(m, now, proposed)
  return tonumber(proposed) > tonumber(present(m, now)) + LEAD_MICROS
end

-- Before the fence of a resource that nobody has locked for long expires, the floor is raised above it. At each turn, the floor
-- becomes the greatest fence of the turn before; so a fence is below the floor after two turns, and expires after three.
local function turn(m, now)
  local since = now - m.turn
  if since >= 0 and since < TURN_MICROS then return end
  -- A clock that was set back begins a turn anew, and lets nothing expire earlier than the floor is raised.
  if since >= TURN_MICROS then
    m.floor = greatest(m.floor, since < 2 * TURN_MICROS and m.older or m.gmax)
    m.older = m.gmax
  end
  redis.call('HSET', KEYS[3], 'turn', string.format('%.0f', now), 'older', m.older, 'floor', m.floor)
end

-- Why the node must not vote, or nil. The run is that of the process to which this very connection leads; '' if the client
-- takes the node for one that forgets nothing.
local function barred(m, run, fleet)
  if m.fleet and m.fleet ~= fleet then return {'conflict', m.fleet} end
  if run == '' then return nil end
  if m.run ~= run then return {'quarantined', '0'} end
  if m.admitted ~= '1' then return {'quarantined', m.watched} end
  return nil
end

-- Sets the lock. It comes last: where a write fails, no lock is left.
local function take(m, owner, ttl, proposed)
  accept(proposed)
  if above(proposed, m.gmax) then redis.call('HSET', KEYS[3], 'gmax', proposed) end
  redis.call('SET', KEYS[1], owner, 'PX', ttl)
  return {'granted'}
end

-- Lets the lock live for at least the ttl from now.
local function prolong(ttl)
  if redis.call('PTTL', KEYS[1]) < tonumber(ttl) then redis.call('PEXPIRE', KEYS[1], ttl) end
  return {'granted'}
end

-- A no: {'refused', ms left of the present hold, fence}. 0 ms: nobody holds it. -1 ms: the key has no time to live.
local function refused(holder)
  local left = 0
  if holder then
    left = redis.call('PTTL', KEYS[1])
    if left == 0 then left = 1 end
  end
  return {'refused', left, fence()}
end

