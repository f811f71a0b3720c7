-- Whether a lock that is gone may be set again; put before the scripts that do.

-- Why not, as a reply, for an owner whose hold a majority has just confirmed: another may have held the lock since. Or nil.
local function objection_to_repair(fence, floor, gmax, proposed)
  if not fence then
    judge(floor, gmax, proposed)
  elseif above(fence, proposed) then
    return {'stale', fence}
  end
end
