-- Gives up a share of the lock, or all of it if this owner holds it alone. Always seals; the rest as in release.
-- KEYS: 1 the lock, 2 the fence, 3 the marker, 4 the line, 5 whoever was called, 6 the shares
-- ARGV and returns as release
-- @include lib/marker
-- @include lib/fence_accept
-- @include lib/fence_bounds
-- @include lib/extend_ttl
-- @include lib/shared_holds
-- @include lib/wait_queue
-- @include lib/reservation
-- @include lib/hand_over
local kept = redis.call('MGET', KEYS[1], KEYS[2])
local holder, fence = kept[1], kept[2]
local shares = has_share(holder, ARGV[1])
local ours = shares or holder == ARGV[1]
local reply = ours and {'granted'} or refused(holder and holder ~= SHARED and KEYS[1], fence)
local free = ours
if shares then
  redis.call('ZREM', KEYS[6], ARGV[1])
  local left = longest_share()
  free = left <= 0
  if not free then redis.call('PEXPIRE', KEYS[1], string.format('%.0f', left)) end
end
if free then
  redis.call('DEL', KEYS[1], KEYS[6])
  holder = nil
end
fence = seal(fence, ARGV[2])
pass_on(ours, free, holder, fence or '0', ARGV[3], ARGV[4], ARGV[5] == '1')
return reply
