-- Whether a proposed fence is accepted; put before the scripts that set a lock.

-- Why it is not, as a reply; or nil.
local function objection(fence, floor, gmax, proposed)
  local present
  if not fence or above(proposed, gmax) then floor, present = judge(floor, gmax, proposed) end
  local accepted = greatest(fence or '0', floor)
  if not above(proposed, accepted) then return {'stale', accepted} end
  return present and {'ahead', present}
end

local function remember(gmax, proposed)
  accept(proposed)
  if above(proposed, gmax) then
    redis.call('HSET', KEYS[3], 'gmax', string.format('%.0f', tonumber(proposed) + GMAX_STEP_MICROS))
  end
end
