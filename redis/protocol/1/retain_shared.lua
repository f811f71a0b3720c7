-- Ends a shared hold, or the exclusive hold of an owner that has downgraded, and keeps a shared hold in its place for
-- exactly the given time from now. Works as retain, but always seals, because the lock may outlive it.
-- KEYS: as release
-- ARGV and replies: as retain
-- @include lib/marker
-- @include lib/fence_accept
-- @include lib/fence_bounds
-- @include lib/extend_ttl
-- @include lib/shared_holds
-- @include lib/standing_claims
-- @include lib/wait_queue
-- @include lib/reservation
-- @include lib/hand_over
-- @include lib/retention
local values = redis.call('MGET', KEYS[1], KEYS[2])
local holder, fence = values[1], values[2]
local was_exclusive = holder == ARGV[1]
local was_held = was_exclusive or has_shared_hold(holder, ARGV[1])
local reply = was_held and 'granted' or refused(holder and holder ~= SHARED and KEYS[1], fence)
local left
if was_held then
  if was_exclusive then redis.call('DEL', KEYS[1], KEYS[6]) else redis.call('ZREM', KEYS[6], ARGV[1]) end
  hold_shared(retained(ARGV[1]), ARGV[2])
  left = longest_hold_millis()
  redis.call('PEXPIRE', KEYS[1], string.format('%.0f', left))
end
fence = seal(fence, ARGV[3])
withdraw_claim(ARGV[1])
if was_held then
  notify_shared(fence or '0')
  announce_end(left, fence or '0')
end
return reply
