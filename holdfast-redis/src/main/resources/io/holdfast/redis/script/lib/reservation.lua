-- Those who were called, and those who are to be called since somebody is out of their way; put after the line, before the scripts
-- that let somebody leave it.

-- Whether this place is among those that were called, which have blanks between them.
local function is_called(called, place)
  return called and string.find(' ' .. called .. ' ', ' ' .. place .. ' ', 1, true)
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
