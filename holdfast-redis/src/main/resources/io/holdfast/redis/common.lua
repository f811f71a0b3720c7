-- What the scripts share; put before each of them. KEYS: 1 the lock, 2 the fence, 3 the node's marker, 4 the line of those who
-- wait, 5 whoever was called, 6 the shares of a lock that is held shared.

-- In place of an owner while a lock is held shared, so that whoever knows nothing of shares finds the lock taken.
local SHARED = 'holdfast:shared'

-- How far above the clock a proposed fence may lie, in microseconds: 10 s, more than clocks of one fleet should differ.
local LEAD_MICROS = 10000000
-- gmax is raised by so much at once, so that it need not be written with every lock. Nodes take it over from each other, and a
-- floor made from a clock has to be above it in the end: so the step is small against any quarantine.
local GMAX_STEP_MICROS = 10000
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

-- The server's clock in microseconds. Every number here is below 2^53, so a Lua number holds it exactly.
local function clock()
  local time = redis.call('TIME')
  return tonumber(time[1]) * 1000000 + tonumber(time[2])
end

-- What the node keeps about itself: the process of this server that was admitted, or is watched, as a voter; what its clients
-- agree on; the floor that every fence has to be above; and gmax, no fence that was accepted is above it.
local function marker()
  local m = redis.call('HMGET', KEYS[3], 'run', 'admitted', 'fleet', 'floor', 'gmax')
  return m[1], m[2], m[3], m[4] or '0', m[5] or '0'
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

-- Why the node must not vote, or nil. The run is that of the process to which this very connection leads; '' if the client
-- takes the node for one that forgets nothing.
local function barred(admitted_run, admitted, agreed, run, fleet)
  if agreed and agreed ~= fleet then return {'conflict', agreed} end
  if run == '' then return nil end
  if admitted_run ~= run then return {'quarantined', '0'} end
  if admitted ~= '1' then return {'quarantined', redis.call('HGET', KEYS[3], 'watched') or '0'} end
  return nil
end

local function accept(fence)
  redis.call('SET', KEYS[2], fence, 'PX', FENCE_MILLIS)
end

-- A no: {'refused', ms left until the key expires, fence}. 0 ms: there is no key. -1 ms: it has no time to live.
local function refused(key, fence)
  local left = 0
  if key then
    left = redis.call('PTTL', key)
    if left == 0 then left = 1 end
  end
  return {'refused', left, fence or '0'}
end

