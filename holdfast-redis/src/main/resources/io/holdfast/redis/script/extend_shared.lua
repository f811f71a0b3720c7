-- Lets a share last for at least the ttl from now, if this owner has one. An owner who holds the lock alone shares it from now on.
-- Creates nothing else and never shortens.
-- KEYS: 1 the lock, 2 the fence, 3 the marker, 4 the line, 5 whoever was called, 6 the shares
-- ARGV: 1 the owner, 2 the ttl in ms
-- Returns {'granted'} or {'refused', ms left of the hold of one who is alone, fence}.
-- @include lib/marker
-- @include lib/fence_accept
-- @include lib/fence_bounds
-- @include lib/extend_ttl
-- @include lib/shared_holds
-- @include lib/wait_queue
-- @include lib/reservation
-- @include lib/extend_shared_hold
local kept = redis.call('MGET', KEYS[1], KEYS[2])
local holder, fence = kept[1], kept[2]
return prolong_share(holder, fence, ARGV[1], ARGV[2]) or refused(holder and holder ~= SHARED and KEYS[1], fence)
