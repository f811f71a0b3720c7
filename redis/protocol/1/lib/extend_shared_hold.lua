-- Extends a shared hold. Requires shared_holds.lua and reservation.lua.

-- Extends the owner's shared hold to at least the ttl from now. Converts an exclusive hold of this owner to a shared
-- one. Returns nil if the owner holds neither. A converted hold keeps at least the time that the lock had left: the
-- holder relies on it, and if it ended earlier, another holder's release could free the lock.
local function extend_shared_hold(holder, fence, owner, ttl)
  if has_shared_hold(holder, owner) then return hold_shared(owner, ttl) end
  if holder ~= owner then return nil end
  local left = redis.call('PTTL', KEYS[1])
  redis.call('DEL', KEYS[6])
  redis.call('SET', KEYS[1], SHARED, 'KEEPTTL')
  local reply = hold_shared(owner, string.format('%.0f', math.max(tonumber(ttl), left)))
  notify_shared(fence or '0')
  return reply
end
