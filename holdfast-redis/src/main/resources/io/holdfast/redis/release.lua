-- Gives the lock up if this owner holds it, and seals the attempt: a claim of it that arrives later is stale. Then calls whoever
-- is next in line.
-- KEYS: 1 the lock, 2 the fence, 3 the marker, 4 the line, 5 whoever was called
-- ARGV: 1 the owner, 2 the number above the attempt's greatest fence, 3 the place in line of a client that waits or '', 4 the number
--       of its ticket, 5 '1' if it stays in line
-- Returns {'granted'} or {'refused', ms left of another owner's hold, fence}.
local kept = redis.call('MGET', KEYS[1], KEYS[2])
local holder, fence = kept[1], kept[2]
local ours = holder == ARGV[1]
local reply = ours and {'granted'} or refused(holder and KEYS[1], fence)
-- The deletion comes first: a server out of memory lets a script go on once it has freed something.
if ours then redis.call('DEL', KEYS[1]) end
fence = seal(ours, fence, ARGV[2])
pass_on(ours, ours, holder, fence or '0', ARGV[3], ARGV[4], ARGV[5] == '1')
return reply
