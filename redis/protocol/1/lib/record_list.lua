-- The list of the locks that have a record on this node: a sorted set of their names, by the ends of the records.

-- Adds a lock, and removes those whose records have ended. A user who may not write the list can still write a record.
local function list_record(list, lock, millis)
  local time = redis.call('TIME')
  local now = time[1] * 1000 + math.floor(time[2] / 1000)
  redis.pcall('ZREMRANGEBYSCORE', list, '-inf', now)
  redis.pcall('ZADD', list, now + millis, lock)
end
