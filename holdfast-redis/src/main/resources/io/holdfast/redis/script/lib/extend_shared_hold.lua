-- What makes a share last longer; put before the scripts that do.

-- Lets a share last for at least the ttl from now, if this owner has one; otherwise nil. An owner who holds the lock alone shares it
-- from now on, for at least the time that its lock had left: the holder relies on that, and a share that ended earlier would let
-- the release of another share free the lock.
local function prolong_share(holder, fence, owner, ttl)
  if has_share(holder, owner) then return share(owner, ttl) end
  if holder ~= owner then return nil end
  local left = redis.call('PTTL', KEYS[1])
  redis.call('DEL', KEYS[6])
  redis.call('SET', KEYS[1], SHARED, 'KEEPTTL')
  local reply = share(owner, string.format('%.0f', math.max(tonumber(ttl), left)))
  call_shares(fence or '0')
  return reply
end
