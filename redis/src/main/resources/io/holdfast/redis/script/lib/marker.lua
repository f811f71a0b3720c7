-- Functions that every script needs. KEYS: 1 the lock, 2 the fence, 3 the node's marker, 4 the wait queue, 5 the
-- reservation, 6 the shared holders.

-- The value of the lock's key while the lock is held shared. A client that knows only exclusive locks finds the lock
-- taken.
-- @constant SHARED

-- How long a fence is kept at least after it was last accepted: three periods of the fence bounds.
-- @constant FENCE_MILLIS

-- Returns whether the decimal number a is greater than b. Compares strings, because a Lua number loses digits beyond
-- 2^53 and is printed with 14 digits.
local function is_above(a, b)
  return #a > #b or (#a == #b and a > b)
end

local function greatest(a, b)
  if is_above(a, b) then return a end
  return b
end

-- The replication history of a server that was never promoted.
local NEVER_PROMOTED = string.rep('0', 40)
local recorded_history

-- Returns the marker: the run id of the server process that was admitted or is observed, whether it is admitted, the
-- configuration that the clients agreed on, the floor that every fence must exceed, and gmax, an upper bound of all
-- accepted fences.
local function read_marker()
  local m = redis.call('HMGET', KEYS[3], 'run', 'admitted', 'config', 'floor', 'gmax', 'replid2')
  recorded_history = m[6] or NEVER_PROMOTED
  return m[1], m[2], m[3], m[4] or '0', m[5] or '0'
end

-- Returns the replication history that this server followed before its last promotion. A process that becomes a replica
-- loses its votes and keeps its run id, but this value changes. Read on the server, so that no claim can carry an old
-- value. A server that does not say it carries out no claim.
local function replication_history()
  return string.match(redis.call('INFO', 'replication'), 'master_replid2:(%x+)')
    or error('its INFO has no master_replid2, which shows a failover', 0)
end

-- Returns whether the marker was written for this server process, and its role has not changed since.
local function is_same_process(marker_run, run)
  return marker_run == run and replication_history() == recorded_history
end

-- Returns the configuration of one set in that of a client, which may have another set as well.
local function of_one_set(config)
  return string.match(config, '^[^+]*')
end

-- Returns whether the node serves a client with this configuration. A node that has agreed on two serves only clients
-- that have both sets.
local function accepts(agreed_config, config)
  return not agreed_config or agreed_config == config or agreed_config == of_one_set(config)
end

-- Returns the rejection if the node must not vote, else nil. The run id is that of the server process at the other end
-- of the client's connection, or '' if the client declares the node durable.
local function node_rejection(marker_run, admitted, agreed_config, run, config)
  if not accepts(agreed_config, config) then return {'conflict', agreed_config} end
  if run == '' then return nil end
  if not is_same_process(marker_run, run) then return {'quarantined', '0'} end
  if admitted ~= '1' then return {'quarantined', redis.call('HGET', KEYS[3], 'elapsed') or '0'} end
  return nil
end

-- Returns the same for what the set has granted already, to which its present agreement does not matter.
local function node_rejection_of_set(marker_run, admitted, agreed_config, run, config)
  return node_rejection(marker_run, admitted, agreed_config and of_one_set(agreed_config), run, config)
end

-- Stores the fence for at least the ms that the lock lasts: an administrator finds the names of locks by their fences.
local function store_fence(fence, lock_millis)
  redis.call('SET', KEYS[2], fence, 'PX', string.format('%.0f', math.max(FENCE_MILLIS, tonumber(lock_millis))))
end

-- Returns a refusal: {'refused', ms until the key expires, fence}. 0 ms: there is no key. -1 ms: the key has no time to
-- live.
local function refused(key, fence)
  local left = 0
  if key then
    left = redis.call('PTTL', key)
    if left == 0 then left = 1 end
  end
  return {'refused', left, fence or '0'}
end

