-- What is asked before a lock is set; put after the judge.

-- Why a proposed fence is not accepted, as a reply; or nil.
local function objection(fence, floor, gmax, proposed)
  local present
  if not fence or above(proposed, gmax) then floor, present = judge(floor, gmax, proposed) end
  return stale(fence or '0', floor, proposed) or (present and {'ahead', present})
end
