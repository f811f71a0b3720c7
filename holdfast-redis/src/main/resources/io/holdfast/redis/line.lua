-- The line of those who wait for the lock, ordered by the numbers of their tickets; put before the scripts that move it.

local LINE_MILLIS = 600000
-- How long a free lock is kept for whoever was called.
local RESERVATION_MILLIS = 200

-- From now on the client of this inbox is in line with this number, whatever number it had before. Where memory is short, it is
-- not, and has to ask again and again.
local function enter(inbox, number)
  redis.pcall('ZADD', KEYS[4], number, inbox)
  redis.pcall('PEXPIRE', KEYS[4], LINE_MILLIS)
end

-- Tells a client how many ms from now to ask, and which fence its proposal has to be above; returns whether anybody heard it.
local function tell(inbox, millis, fence)
  local heard = redis.pcall('PUBLISH', 'holdfast:inbox:' .. inbox, millis .. ' ' .. fence .. ' ' .. KEYS[1])
  return type(heard) == 'number' and heard > 0
end

-- Calls the first in line who hears it, keeps the lock for that one, and tells the next in line that it is next. Those who cannot
-- hear are dropped: they are gone, or ask again and again. Returns who was called, or nil; also where this user may not call.
local function call_next(fence)
  while true do
    local first = redis.pcall('ZPOPMIN', KEYS[4])[1]
    if not first then return nil end
    if tell(first, 0, fence) then
      redis.call('SET', KEYS[5], first, 'PX', RESERVATION_MILLIS)
      local following = redis.call('ZRANGE', KEYS[4], 0, 0)[1]
      if following then tell(following, RESERVATION_MILLIS, fence) end
      return first
    end
  end
end

