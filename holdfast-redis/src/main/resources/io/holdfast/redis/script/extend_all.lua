-- Lets many locks live for at least their ttl from now, each if its owner holds it. Creates nothing and never shortens.
-- KEYS: the locks
-- ARGV: for each of them, its owner and its ttl in ms
-- Returns for each of them 1, or 0 if this owner does not hold it.
-- @include lib/extend_ttl
local holders = redis.call('MGET', unpack(KEYS))
local extended = {}
for i, lock in ipairs(KEYS) do
  if holders[i] == ARGV[2 * i - 1] then
    prolong(lock, ARGV[2 * i])
    extended[i] = 1
  else
    extended[i] = 0
  end
end
return extended
