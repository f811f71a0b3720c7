-- What follows when an attempt gives up what it has; put before the scripts that release.

-- A claim or a repair of the attempt that arrives later is stale; returns the fence. A number that the node would not accept needs no
-- seal, and one in the far future would bar the resource.
local function seal(fence, greatest_sent)
  local number = string.format('%.0f', tonumber(greatest_sent) + 1)
  if not above(number, fence or '0') then return fence end
  local _, _, _, floor, gmax = marker()
  local present
  if not fence or above(number, gmax) then _, present = judge(floor, gmax, number) end
  if present then return fence or '0' end
  accept(number)
  return number
end

-- The attempt leaves the line, or is in it again; and the next is called if the lock has become free, or is not kept for this one
-- any more, or is shared by those who need not wait for this one any more.
local function pass_on(ours, free, holder, fence, place, number, stays)
  if place ~= '' and stays then
    if ours then enter(place, number) end
  elseif place ~= '' then
    redis.call('ZREM', KEYS[4], place)
    local unkept = uncall(place)
    free = free or (unkept and not holder)
  end
  if free then
    call_next(fence)
  elseif place ~= '' and not stays and holder == SHARED then
    call_shares(fence)
  end
end
