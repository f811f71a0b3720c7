-- What sets a lock; put before the scripts that do.

-- Sets the lock. It comes last: where a write fails, no lock is left. A key of another kind in its place is left alone.
local function take(gmax, owner, ttl, proposed)
  accept(proposed)
  if above(proposed, gmax) then
    redis.call('HSET', KEYS[3], 'gmax', string.format('%.0f', tonumber(proposed) + GMAX_STEP_MICROS))
  end
  if redis.call('SET', KEYS[1], owner, 'PX', ttl, 'NX') then return {'granted'} end
  return redis.error_reply('WRONGTYPE The key of the lock holds another kind of value')
end

