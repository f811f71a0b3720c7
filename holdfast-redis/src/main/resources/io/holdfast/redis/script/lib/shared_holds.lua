-- The shares of a lock, ordered by when they end, in ms by the server's clock; put before the scripts that change them.

local function millis()
  return math.floor(clock() / 1000)
end

local function has_share(holder, owner)
  local till = holder == SHARED and redis.call('ZSCORE', KEYS[6], owner)
  return till and tonumber(till) > millis()
end

-- How many ms the longest of them lasts.
local function longest_share()
  local last = redis.call('ZRANGE', KEYS[6], -1, -1, 'WITHSCORES')[2]
  return tonumber(last or '0') - millis()
end

-- Gives the owner a share for at least the ttl from now; the lock lasts as long as the longest of them. The lock comes last:
-- without it no share counts.
local function share(owner, ttl)
  local now = millis()
  redis.call('ZREMRANGEBYSCORE', KEYS[6], '-inf', now)
  local till = math.max(now + tonumber(ttl), tonumber(redis.call('ZSCORE', KEYS[6], owner) or '0'))
  redis.call('ZADD', KEYS[6], string.format('%.0f', till), owner)
  prolong(KEYS[6], ttl)
  if not redis.call('SET', KEYS[1], SHARED, 'PX', ttl, 'NX') then prolong(KEYS[1], ttl) end
  return {'granted'}
end

-- A free lock has no shares, whatever is left of those that it had when somebody deleted it.
local function take_share(holder, gmax, owner, ttl, proposed)
  remember(gmax, proposed)
  if not holder then redis.call('DEL', KEYS[6]) end
  return share(owner, ttl)
end
