-- What the scripts share; put before each of them. KEYS: 1 the lock, 2 the fence, 3 the node's marker.

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

-- What the node keeps about itself, for the process of this server that was admitted, or is watched, as a voter.
local function marker()
  local m = redis.call('HMGET', KEYS[3], 'run', 'admitted', 'fleet', 'watched', 'floor', 'gmax')
  return {run = m[1], admitted = m[2], fleet = m[3], watched = m[4] or '0', floor = m[5] or '0', gmax = m[6] or '0'}
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
  redis.call('SET', KEYS[2], proposed)
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

