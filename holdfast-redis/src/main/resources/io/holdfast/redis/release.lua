-- Gives the lock up if this owner holds it, and seals the attempt: a claim of it that arrives later is stale.
-- KEYS: 1 the lock, 2 the fence, 3 the marker
-- ARGV: 1 the owner, 2 the number above the attempt's fence
-- Returns {'granted'} or {'refused', ms left of another owner's hold, fence}.
local kept = redis.call('MGET', KEYS[1], KEYS[2])
local holder, fence = kept[1], kept[2] or '0'
local ours = holder == ARGV[1]
-- The deletion comes first: a server out of memory lets a script go on once it has freed something.
if ours then redis.call('DEL', KEYS[1]) end
if above(ARGV[2], fence) then
  local present
  if not ours then
    local _, _, _, floor, gmax = marker()
    if above(ARGV[2], gmax) then _, present = judge(floor, gmax, ARGV[2]) end
  end
  -- A claim that the node would not accept needs no seal, and one in the far future would bar the resource.
  if not present then accept(ARGV[2]) end
end
if ours then return {'granted'} end
return refused(holder, fence)
