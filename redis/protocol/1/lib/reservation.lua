-- Reservations: the entries of notified waiters, separated by blanks. Requires wait_queue.lua.

local function is_reserved_for(reserved, entry)
  return reserved and string.find(' ' .. reserved .. ' ', ' ' .. entry .. ' ', 1, true)
end

-- Removes this entry from the reservation. Returns whether that ended the reservation.
local function cancel_reservation(entry)
  local reserved = redis.call('GET', KEYS[5])
  if not is_reserved_for(reserved, entry) then return false end
  if reserved == entry then return redis.call('DEL', KEYS[5]) == 1 end
  local others = {}
  for other in string.gmatch(reserved, '%S+') do
    if other ~= entry then others[#others + 1] = other end
  end
  redis.call('SET', KEYS[5], table.concat(others, ' '), 'KEEPTTL')
  return false
end

-- Notifies the shared waiters at the head of the queue. Called when an exclusive hold became shared, or an exclusive
-- waiter left the queue.
local function notify_shared(fence)
  local first = first_in_queue()
  if first and is_shared_entry(first) then notify_next(fence) end
end
