-- What the scripts share; put before each of them. KEYS: 1 the lock, 2 the fence, 3 the node's marker, 4 the line of those who
-- wait, 5 whoever was called, 6 the shares of a lock that is held shared.

-- In place of an owner while a lock is held shared, so that whoever knows nothing of shares finds the lock taken.
local SHARED = 'holdfast:shared'

-- How long a fence stays after it was last accepted: three turns of the judge's.
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

-- The past of a server that was never promoted. A marker without a past, as older clients write it, has this one.
local NEVER_PROMOTED = string.rep('0', 40)
local recorded_past

-- What the node keeps about itself: the process of this server that was admitted, or is watched, as a voter; what its clients
-- agree on; the floor that every fence has to be above; and gmax, no fence that was accepted is above it.
local function marker()
  local m = redis.call('HMGET', KEYS[3], 'run', 'admitted', 'fleet', 'floor', 'gmax', 'past')
  recorded_past = m[6] or NEVER_PROMOTED
  return m[1], m[2], m[3], m[4] or '0', m[5] or '0'
end

-- The history that this server followed before its last promotion. A process that becomes a replica loses its votes and keeps
-- its run; this differs afterwards. Read here, because no claim can then carry an old value.
local function past()
  return string.match(redis.call('INFO', 'replication'), 'master_replid2:(%x+)') or NEVER_PROMOTED
end

-- Whether the marker was made by this run of the server, without a change of role since.
local function is_of_marker(admitted_run, run)
  return admitted_run == run and past() == recorded_past
end

-- Why the node must not vote, or nil. The run is that of the process to which this very connection leads; '' if the client
-- takes the node for one that forgets nothing.
local function barred(admitted_run, admitted, agreed, run, fleet)
  if agreed and agreed ~= fleet then return {'conflict', agreed} end
  if run == '' then return nil end
  if not is_of_marker(admitted_run, run) then return {'quarantined', '0'} end
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

