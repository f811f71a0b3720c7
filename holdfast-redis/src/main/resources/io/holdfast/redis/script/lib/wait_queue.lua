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

-- Whoever wants a share is marked in line. As many of those as stand behind each other are called together.
local function is_share(place)
  return string.sub(place, 1, 1) == '~'
end

local function channel(place)
  return 'holdfast:inbox:' .. (is_share(place) and string.sub(place, 2) or place)
end

local function first_in_line()
  return redis.pcall('ZRANGE', KEYS[4], 0, 0)[1]
end

-- Tells a client how many ms from now to ask, and which fence its proposal has to be above; returns whether anybody heard it.
local function tell(place, millis, fence)
  local heard = redis.pcall('PUBLISH', channel(place), millis .. ' ' .. fence .. ' ' .. KEYS[1])
  return type(heard) == 'number' and heard > 0
end

-- Calls the first in line who hears it, keeps the lock for that one, and tells the next in line that it is next. Those who cannot
-- hear are dropped: they are gone, or ask again and again. Returns who was called; nil: nobody, also where this user may not call.
local function call_next(fence)
  local called = {}
  local first = first_in_line()
  while first and (#called == 0 or (is_share(called[1]) and is_share(first))) do
    if redis.pcall('ZREM', KEYS[4], first) ~= 1 then break end
    if tell(first, 0, fence) then called[#called + 1] = first end
    first = first_in_line()
  end
  if #called == 0 then return end
  local all = table.concat(called, ' ')
  redis.call('SET', KEYS[5], all, 'PX', RESERVATION_MILLIS)
  if first then tell(first, RESERVATION_MILLIS, fence) end
  return all
end

-- A refusal of an acquire: how long the lock is held or reserved for another, the clock, by which tickets are numbered, and
-- the beginning of the holder's token, by which a client sees whether several nodes speak of one holder.
local function refused_in_line(holder, fence)
  local no = refused(holder and KEYS[1] or KEYS[5], fence)
  no[4] = string.format('%.0f', clock())
  no[5] = holder and string.sub(holder, 1, 6) or ''
  return no
end
