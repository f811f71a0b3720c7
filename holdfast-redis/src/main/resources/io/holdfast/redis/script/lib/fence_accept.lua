-- How a fence is accepted; put before the scripts that set a lock.

-- Why it is not where a fence is known and the proposal is not above gmax, as a reply; or nil.
local function stale(fence, floor, proposed)
  local accepted = greatest(fence, floor)
  if not above(proposed, accepted) then return {'stale', accepted} end
end

-- gmax is raised by so much at once, so that it need not be written with every lock. Nodes take it over from each other, and a
-- floor made from a clock has to be above it in the end: so the step is small against any quarantine.
local GMAX_STEP_MICROS = 10000

local function remember(gmax, proposed)
  accept(proposed)
  if above(proposed, gmax) then
    redis.call('HSET', KEYS[3], 'gmax', string.format('%.0f', tonumber(proposed) + GMAX_STEP_MICROS))
  end
end
