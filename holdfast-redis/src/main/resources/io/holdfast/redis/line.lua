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

-- Whether this place is among those that were called, which have blanks between them.
local function is_called(called, place)
  return called and string.find(' ' .. called .. ' ', ' ' .. place .. ' ', 1, true)
end

-- Calls the first in line who hears it, keeps the lock for that one, and tells the next in line that it is next. Those who cannot
-- hear are dropped: they are gone, or ask again and again. Where this user may not call, nobody is called.
local function call_next(fence)
  local called = {}
  local first = first_in_line()
  while first and (#called == 0 or (is_share(called[1]) and is_share(first))) do
    if redis.pcall('ZREM', KEYS[4], first) ~= 1 then break end
    if tell(first, 0, fence) then called[#called + 1] = first end
    first = first_in_line()
  end
  if #called == 0 then return end
  redis.call('SET', KEYS[5], table.concat(called, ' '), 'PX', RESERVATION_MILLIS)
  if first then tell(first, RESERVATION_MILLIS, fence) end
end

-- The lock is not kept for this one any more; returns whether it is kept for nobody on account of that.
local function uncall(place)
  local called = redis.call('GET', KEYS[5])
  if not is_called(called, place) then return false end
  if called == place then return redis.call('DEL', KEYS[5]) == 1 end
  local others = {}
  for other in string.gmatch(called, '%S+') do
    if other ~= place then others[#others + 1] = other end
  end
  redis.call('SET', KEYS[5], table.concat(others, ' '), 'KEEPTTL')
  return false
end

-- Those who come first in line and want a share are called: whoever held the lock alone shares it now, or stands no more before
-- them.
local function call_shares(fence)
  local first = first_in_line()
  if first and is_share(first) then call_next(fence) end
end

-- Whether one who wants the lock alone stands before in line. Those who cannot hear any more are dropped: they would bar the
-- way for as long as others share the lock.
local function is_behind_one_alone(place)
  for _, other in ipairs(redis.pcall('ZRANGE', KEYS[4], 0, -1)) do
    if other == place then return false end
    if not is_share(other) then
      local heard = redis.pcall('PUBSUB', 'NUMSUB', channel(other))
      if heard.err or heard[2] ~= 0 then return true end
      redis.call('ZREM', KEYS[4], other)
    end
  end
  return false
end

-- Whether a lock that nobody holds alone is kept for one who wants that.
local function is_kept_from_share(called, place, number)
  if called and not is_share(called) then return true end
  if is_called(called, place) then return false end
  if place ~= '' then enter(place, number) end
  return is_behind_one_alone(place)
end

-- To whoever is refused: how long the lock is held, or kept for another, and the clock, by which tickets are numbered.
local function refused_in_line(holder, fence)
  local no = refused(holder and KEYS[1] or KEYS[5], fence)
  no[4] = string.format('%.0f', clock())
  return no
end
