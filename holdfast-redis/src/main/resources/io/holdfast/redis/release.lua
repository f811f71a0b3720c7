-- Gives the lock up if this owner holds it, and seals the attempt: a claim of it that arrives later is stale.
-- KEYS: 1 the lock, 2 the fence, 3 the marker
-- ARGV: 1 the owner, 2 the number above the attempt's fence
-- Returns {'granted'} or {'refused', ms left of another owner's hold, fence}.
local holder = redis.call('GET', KEYS[1])
local ours = holder == ARGV[1]
local reply = ours and {'granted'} or refused(holder)
-- The deletion comes first: a server out of memory lets a script go on once it has freed something.
if ours then redis.call('DEL', KEYS[1]) end
-- A claim that the node would not accept needs no seal, and one in the far future would bar the resource.
if above(ARGV[2], fence()) and (ours or not ahead(marker(), clock(), ARGV[2])) then accept(ARGV[2]) end
return reply
