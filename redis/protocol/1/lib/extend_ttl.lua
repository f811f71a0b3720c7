-- Extends the time to live of a key.

-- Makes the key live for at least the ttl from now. Never shortens it.
local function extend_ttl(key, ttl)
  if redis.call('PTTL', key) < tonumber(ttl) then redis.call('PEXPIRE', key, ttl) end
end

