-- Extends the lock to at least the ttl from now, if this owner holds it. Creates nothing and never shortens.
-- KEYS: 1 the lock, 2 the fence, 3 the marker
-- ARGV: 1 the owner, 2 the ttl in ms
-- Returns 'granted' or {'refused', ms left of another owner's hold, fence}.
-- @include lib/marker
-- @include lib/extend_ttl
local holder = redis.call('GET', KEYS[1])
if holder ~= ARGV[1] then return refused(holder and KEYS[1], redis.call('GET', KEYS[2])) end
extend_ttl(KEYS[1], ARGV[2])
return 'granted'
