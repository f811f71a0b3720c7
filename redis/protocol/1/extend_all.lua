-- Extends each of many locks to at least its ttl from now, if its owner holds it. Creates nothing and never shortens.
-- KEYS: the locks
-- ARGV: for each lock, its owner and its ttl in ms
-- Returns for each lock 1, or 0 if this owner does not hold it.
-- @include lib/extend_ttl
local holders = redis.call('MGET', unpack(KEYS))
local extended = {}
for i, lock in ipairs(KEYS) do
  if holders[i] == ARGV[2 * i - 1] then
    extend_ttl(lock, ARGV[2 * i])
    extended[i] = 1
  else
    extended[i] = 0
  end
end
return extended
