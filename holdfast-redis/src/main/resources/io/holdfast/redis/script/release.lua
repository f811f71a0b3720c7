-- Gives the lock up if this owner holds it, and seals the attempt: a claim or a repair of it that arrives later is stale. A node that
-- has accepted the greatest number of the attempt needs no seal, since it accepts only greater ones. Then calls the next in line.
-- KEYS: 1 the lock, 2 the fence, 3 the marker, 4 the line, 5 whoever was called
-- ARGV: 1 the owner, 2 the greatest number that the attempt has sent to this node, 3 the place in line of a client that waits or '',
--       4 the number of its ticket, 5 '1' if it stays in line
-- Returns {'granted'} or {'refused', ms left of another owner's hold, fence}.
-- @include lib/marker
local kept = redis.call('MGET', KEYS[1], KEYS[2])
local holder, fence = kept[1], kept[2]
local ours = holder == ARGV[1]
if ours then
  -- The deletion comes first: a server out of memory lets a script go on once it has freed something.
  redis.call('DEL', KEYS[1])
end
local is_sealed = ours and fence and not above(ARGV[2], fence)
if is_sealed and ARGV[3] == '' and not redis.pcall('ZRANGE', KEYS[4], 0, 0)[1] then return {'granted'} end
-- @include lib/fence_bounds
-- @include lib/wait_queue
-- @include lib/reservation
-- @include lib/hand_over
-- @include release_queued
