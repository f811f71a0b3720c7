-- Checks a proposed fence before a lock is set. Requires fence_accept.lua and fence_bounds.lua.

-- Returns the rejection if the node does not accept the proposed fence, else nil.
local function fence_rejection(fence, floor, gmax, proposed)
  local present
  if not fence or is_above(proposed, gmax) then floor, present = refresh_bounds(floor, gmax, proposed) end
  return stale_reply(fence or '0', floor, proposed) or (present and {'ahead', present})
end
