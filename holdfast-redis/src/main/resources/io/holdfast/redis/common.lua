-- What the scripts share; put before each of them.

-- Whether the decimal number a is greater than b. Compared as strings: Lua's own numbers lose digits beyond 2^53, and are
-- printed with 14.
local function above(a, b)
  return #a > #b or (#a == #b and a > b)
end

-- The greatest fence that was accepted for the resource.
local function fence()
  return redis.call('GET', KEYS[2]) or '0'
end

-- A no: {'refused', ms left of the present hold, fence}. 0 ms: nobody holds it. -1 ms: the key has no time to live.
local function refused(holder)
  local left = 0
  if holder then
    left = redis.call('PTTL', KEYS[1])
    if left == 0 then left = 1 end
  end
  return {'refused', left, fence()}
end

