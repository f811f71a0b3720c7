-- What makes a lock live longer; put before the scripts that do.

-- Lets the lock live for at least the ttl from now.
local function prolong(lock, ttl)
  if redis.call('PTTL', lock) < tonumber(ttl) then redis.call('PEXPIRE', lock, ttl) end
end

