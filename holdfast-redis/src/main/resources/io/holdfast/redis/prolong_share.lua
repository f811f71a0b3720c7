-- What makes a share last longer; put before the scripts that do.

-- Lets a share last for at least the ttl from now, if this owner has one; otherwise nil. An owner who holds the lock alone shares it
-- from now on.
local function prolong_share(holder, fence, owner, ttl)
  if has_share(holder, owner) then return share(owner, ttl) end
  if holder ~= owner then return nil end
  redis.call('DEL', KEYS[6])
  redis.call('SET', KEYS[1], SHARED, 'KEEPTTL')
  local reply = share(owner, ttl)
  call_shares(fence or '0')
  return reply
end
