-- The wait queue: a sorted set of entries by ticket number. An entry is a client's inbox, with a prefix if the waiter
-- requests a shared hold. Requires marker.lua and fence_bounds.lua.

local QUEUE_MILLIS = 600000
-- How long a free lock is reserved for a notified waiter.
local RESERVATION_MILLIS = 200

-- Adds the entry with this ticket number, or changes its number. If the server is out of memory, the entry is not added
-- and the client falls back to polling.
local function enqueue(entry, number)
  redis.pcall('ZADD', KEYS[4], number, entry)
  redis.pcall('PEXPIRE', KEYS[4], QUEUE_MILLIS)
end

local function is_shared_entry(entry)
  return string.sub(entry, 1, 1) == '~'
end

local function inbox_channel(entry)
  return 'holdfast:inbox:' .. (is_shared_entry(entry) and string.sub(entry, 2) or entry)
end

local function first_in_queue()
  return redis.pcall('ZRANGE', KEYS[4], 0, 0)[1]
end

-- Sends a waiter a wake-up: in how many ms to ask, and the fence that its proposal must exceed. Returns whether a
-- client received it.
local function send_wake_up(entry, millis, fence)
  local receivers = redis.pcall('PUBLISH', inbox_channel(entry), millis .. ' ' .. fence .. ' ' .. KEYS[1])
  return type(receivers) == 'number' and receivers > 0
end

-- Notifies the first waiter that can receive it, reserves the lock for that waiter, and announces to the following one
-- that it is next. Consecutive shared waiters are notified together. Drops waiters that receive nothing: they are gone,
-- or they poll. Returns the reservation, or nil if no waiter was notified or this user may not publish.
local function notify_next(fence)
  local notified = {}
  local first = first_in_queue()
  while first and (#notified == 0 or (is_shared_entry(notified[1]) and is_shared_entry(first))) do
    if redis.pcall('ZREM', KEYS[4], first) ~= 1 then break end
    if send_wake_up(first, 0, fence) then notified[#notified + 1] = first end
    first = first_in_queue()
  end
  if #notified == 0 then return end
  local reserved = table.concat(notified, ' ')
  redis.call('SET', KEYS[5], reserved, 'PX', RESERVATION_MILLIS)
  if first then send_wake_up(first, RESERVATION_MILLIS, fence) end
  return reserved
end

-- Returns the refusal of an acquire: how long the lock is held or reserved, the clock that numbers tickets, and the
-- beginning of the holder's token. From the token a client sees whether several nodes report the same holder.
local function refused_acquire(holder, fence)
  local reply = refused(holder and KEYS[1] or KEYS[5], fence)
  reply[4] = string.format('%.0f', clock_micros())
  reply[5] = holder and string.sub(holder, 1, 6) or ''
  return reply
end
