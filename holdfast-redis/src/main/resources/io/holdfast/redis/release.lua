-- Gives the lock up if this owner holds it, and seals the attempt: a claim of it that arrives later is stale. Then calls whoever
-- is next in line.
-- KEYS: 1 the lock, 2 the fence, 3 the marker, 4 the line, 5 whoever was called
-- ARGV: 1 the owner, 2 the number above the attempt's greatest fence, 3 the inbox of a client that waits or '', 4 the number of its
--       ticket, 5 '1' if it stays in line
-- Returns {'granted'} or {'refused', ms left of another owner's hold, fence}.
local kept = redis.call('MGET', KEYS[1], KEYS[2])
local holder, fence = kept[1], kept[2]
local ours = holder == ARGV[1]
local reply = ours and {'granted'} or refused(holder and KEYS[1], fence)
-- The deletion comes first: a server out of memory lets a script go on once it has freed something.
if ours then redis.call('DEL', KEYS[1]) end
if above(ARGV[2], fence or '0') then
  local present
  if not fence or not ours then
    local _, _, _, floor, gmax = marker()
    if not fence or above(ARGV[2], gmax) then _, present = judge(floor, gmax, ARGV[2]) end
  end
  -- A claim that the node would not accept needs no seal, and one in the far future would bar the resource.
  if ours or not present then
    fence = ARGV[2]
    accept(fence)
  end
end
local free, inbox = ours, ARGV[3]
if inbox ~= '' and ARGV[5] == '1' then
  if ours then enter(inbox, ARGV[4]) end
elseif inbox ~= '' then
  redis.call('ZREM', KEYS[4], inbox)
  if redis.call('GET', KEYS[5]) == inbox then
    redis.call('DEL', KEYS[5])
    free = free or not holder
  end
end
if free then call_next(fence or '0') end
return reply
