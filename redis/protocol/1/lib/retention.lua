-- Locks that are retained after their release. Requires wait_queue.lua.

local RETAINED = ':retained'

-- Returns the owner as the node stores it while it retains the lock. No claim matches it, so a renewal that arrives
-- late does not extend the lock, and nothing releases it.
local function retained(owner)
  return owner .. RETAINED
end

-- Announces to the next waiter in how many ms the retained lock becomes free, or to all shared waiters at the head of
-- the queue. They keep their positions. Drops waiters that receive nothing.
local function announce_end(millis, fence)
  local announced = 0
  while true do
    local entry = redis.pcall('ZRANGE', KEYS[4], announced, announced)[1]
    if not entry or (announced > 0 and not is_shared_entry(entry)) then return end
    -- A key may last 1 ms longer than requested.
    if notify(entry, string.format('%.0f', millis + 1), fence) then
      if not is_shared_entry(entry) then return end
      announced = announced + 1
    elseif redis.pcall('ZREM', KEYS[4], entry) ~= 1 then
      return
    end
  end
end
