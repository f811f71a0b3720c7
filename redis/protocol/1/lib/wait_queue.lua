-- The wait queue: a sorted set of entries by ticket number. An entry is a client's inbox, with a prefix if the waiter
-- requests a shared hold. Requires marker.lua, fence_bounds.lua and standing_claims.lua.

local QUEUE_MILLIS = 600000
-- How long a free lock is reserved for a notified waiter.
local RESERVATION_MILLIS = 200
local SHARE_PREFIX = '~'
local INBOX_PREFIX = 'holdfast:inbox:'
local GRANTED_PREFIX = 'granted:'

-- Adds the entry with this ticket number, or changes its number; drops its claim. If the server is out of memory, the
-- entry is not added and the client falls back to polling.
local function enqueue(entry, number)
  take_claim(entry)
  redis.pcall('ZADD', KEYS[4], number, entry)
  redis.pcall('PEXPIRE', KEYS[4], QUEUE_MILLIS)
end

local function is_shared_entry(entry)
  return string.sub(entry, 1, #SHARE_PREFIX) == SHARE_PREFIX
end

local function inbox_channel(entry)
  return INBOX_PREFIX .. (is_shared_entry(entry) and string.sub(entry, 1 + #SHARE_PREFIX) or entry)
end

local function first_in_queue()
  return redis.pcall('ZRANGE', KEYS[4], 0, 0)[1]
end

-- Sends a waiter a notification: a grant, or in how many ms to ask; and the fence that belongs to it. Returns whether a
-- client received it.
local function notify(entry, what, fence)
  local receivers = redis.pcall('PUBLISH', inbox_channel(entry), what .. ' ' .. fence .. ' ' .. KEYS[1])
  return type(receivers) == 'number' and receivers > 0
end

-- Returns the beginning of an owner's token, which names the owner without revealing it.
local function mark(owner)
  return string.sub(owner, 1, 6)
end

-- Sends a waiter the grant of its claim, which is named by its fence and the beginning of its owner's token. Returns
-- whether a client received it.
local function send_grant(entry, owner, fence)
  return notify(entry, GRANTED_PREFIX .. mark(owner), fence)
end

-- Serves the first waiter that can be reached, and announces to the following one that it is next. If a carrier of
-- claims is given and grants its claim, the waiter has the lock; otherwise it is notified, and the lock is reserved for
-- it. Consecutive shared waiters are served together. Drops waiters that receive nothing: they are gone, or they poll.
-- Returns the reservation, or nil if no waiter was notified or this user may not publish.
local function notify_next(fence, carry_out)
  local notified, served = {}, nil
  local first = first_in_queue()
  while first and (not served or (is_shared_entry(served) and is_shared_entry(first))) do
    if redis.pcall('ZREM', KEYS[4], first) ~= 1 then break end
    local accepted = carry_out and carry_out(first, fence)
    if accepted then
      fence, served = accepted, first
    else
      take_claim(first)
      if notify(first, 0, fence) then notified[#notified + 1], served = first, first end
    end
    first = first_in_queue()
  end
  if not served then return end
  local reserved
  if #notified > 0 then
    reserved = table.concat(notified, ' ')
    redis.call('SET', KEYS[5], reserved, 'PX', RESERVATION_MILLIS)
  end
  if first then notify(first, RESERVATION_MILLIS, fence) end
  return reserved
end

-- Returns the refusal of an acquire: how long the lock is held or reserved, the clock that numbers tickets, and the
-- beginning of the holder's token. From the token a client sees whether several nodes report the same holder.
local function refused_acquire(holder, fence)
  local reply = refused(holder and KEYS[1] or KEYS[5], fence)
  reply[4] = string.format('%.0f', clock_micros())
  reply[5] = holder and mark(holder) or ''
  return reply
end

-- Queues a refused attempt, and stores its claim if the proposed fence is above every accepted one and the client lets
-- its claims stand. ARGV are those of acquire.
local function queue_claim(entry, number, fence, floor)
  enqueue(entry, number)
  if ARGV[11] ~= '0' and is_above(ARGV[3], greatest(fence or '0', floor)) then
    store_claim(entry, ARGV[11], ARGV[1], ARGV[10], ARGV[3], ARGV[4], ARGV[5], ARGV[6])
  end
end

-- Removes an entry and its claim.
local function dequeue(entry)
  redis.call('ZREM', KEYS[4], entry)
  take_claim(entry)
end

