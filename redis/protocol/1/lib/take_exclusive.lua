-- Sets an exclusive lock. Requires fence_accept.lua.

-- Writes the lock's key last: if a write fails, no lock is left. Leaves a key of another type in its place untouched.
local function take_exclusive(gmax, owner, ttl, proposed)
  accept_fence(gmax, proposed, ttl)
  if redis.call('SET', KEYS[1], owner, 'PX', ttl, 'NX') then return 'granted' end
  return redis.error_reply('WRONGTYPE The key of the lock holds another kind of value')
end
