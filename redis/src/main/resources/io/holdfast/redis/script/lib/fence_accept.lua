-- Compares and stores fences. Requires marker.lua.

-- Returns the reply if the proposal is not above the accepted fences, else nil. Sufficient where the fence is present
-- and the proposal is not above gmax.
local function stale_reply(fence, floor, proposed)
  local accepted = greatest(fence, floor)
  if not is_above(proposed, accepted) then return {'stale', accepted} end
end

-- gmax is raised in steps of this size, so that most locks need not write it. Nodes copy gmax from each other, and a
-- floor made from a clock must exceed it eventually: therefore the step is small compared with any quarantine.
-- @constant GMAX_STEP_MICROS

local function accept_fence(gmax, proposed, lock_millis)
  store_fence(proposed, lock_millis)
  if is_above(proposed, gmax) then
    redis.call('HSET', KEYS[3], 'gmax', string.format('%.0f', tonumber(proposed) + GMAX_STEP_MICROS))
  end
end
