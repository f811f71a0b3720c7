-- What makes a lock live longer; put before the scripts that do.

-- Lets the lock live for at least the ttl from now.
local function prolong(ttl)
  if redis.call('PTTL', KEYS[1]) < tonumber(ttl) then redis.call('PEXPIRE', KEYS[1], ttl) end
  return {'granted'}
end

