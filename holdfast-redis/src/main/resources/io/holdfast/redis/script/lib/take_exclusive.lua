-- What sets a lock for one owner alone; put before the scripts that do.

-- Sets the lock. It comes last: where a write fails, no lock is left. A key of another kind in its place is left alone.
local function take(gmax, owner, ttl, proposed)
  remember(gmax, proposed)
  if redis.call('SET', KEYS[1], owner, 'PX', ttl, 'NX') then return {'granted'} end
  return redis.error_reply('WRONGTYPE The key of the lock holds another kind of value')
end
