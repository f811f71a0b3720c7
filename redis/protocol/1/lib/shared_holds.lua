-- The shared holds of a lock: a sorted set of owners by the ends of their holds, in ms by the server's clock. Requires
-- fence_accept.lua, fence_bounds.lua and extend_ttl.lua.

local function clock_millis()
  return math.floor(clock_micros() / 1000)
end

local function has_shared_hold(holder, owner)
  local till = holder == SHARED and redis.call('ZSCORE', KEYS[6], owner)
  return till and tonumber(till) > clock_millis()
end

-- Returns the remaining ms of the longest shared hold.
local function longest_hold_millis()
  local last = redis.call('ZRANGE', KEYS[6], -1, -1, 'WITHSCORES')[2]
  return tonumber(last or '0') - clock_millis()
end

-- Gives the owner a shared hold for at least the ttl from now, and makes the lock last as long as the longest hold.
-- Writes the lock's key last, because no shared hold counts without it.
local function hold_shared(owner, ttl)
  local now = clock_millis()
  redis.call('ZREMRANGEBYSCORE', KEYS[6], '-inf', now)
  local till = math.max(now + tonumber(ttl), tonumber(redis.call('ZSCORE', KEYS[6], owner) or '0'))
  redis.call('ZADD', KEYS[6], string.format('%.0f', till), owner)
  extend_ttl(KEYS[6], ttl)
  if not redis.call('SET', KEYS[1], SHARED, 'PX', ttl, 'NX') then extend_ttl(KEYS[1], ttl) end
  return 'granted'
end

-- Takes a shared hold. Deletes the remaining holders of a free lock first: an administrator may have deleted only its
-- key. Leaves a key of another type in its place untouched, which MGET reads as missing.
local function take_shared(holder, gmax, owner, ttl, proposed)
  if not holder and redis.call('PTTL', KEYS[1]) ~= -2 then
    return redis.error_reply('WRONGTYPE The key of the lock holds another kind of value')
  end
  accept_fence(gmax, proposed, math.max(tonumber(ttl), holder and redis.call('PTTL', KEYS[1]) or 0))
  if not holder then redis.call('DEL', KEYS[6]) end
  return hold_shared(owner, ttl)
end
