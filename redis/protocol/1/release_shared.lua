-- Releases a shared hold, or the exclusive hold of this owner. Works as release, but always seals, because
-- the lock may outlive this hold.
-- KEYS: as release
-- ARGV and replies: as release
-- @include lib/marker
-- @include lib/fence_accept
-- @include lib/fence_bounds
-- @include lib/fence_check
-- @include lib/take_exclusive
-- @include lib/extend_ttl
-- @include lib/shared_holds
-- @include lib/standing_claims
-- @include lib/wait_queue
-- @include lib/standing_grant
-- @include lib/reservation
-- @include lib/hand_over
local values = redis.call('MGET', KEYS[1], KEYS[2])
local holder, fence = values[1], values[2]
local was_shared = has_shared_hold(holder, ARGV[1])
local was_held = was_shared or holder == ARGV[1]
local reply = was_held and 'granted' or refused(holder and holder ~= SHARED and KEYS[1], fence)
local is_free = was_held
if was_shared then
  redis.call('ZREM', KEYS[6], ARGV[1])
  local left = longest_hold_millis()
  is_free = left <= 0
  if not is_free then redis.call('PEXPIRE', KEYS[1], string.format('%.0f', left)) end
end
if is_free then
  redis.call('DEL', KEYS[1], KEYS[6])
  holder = nil
end
fence = seal(fence, ARGV[2])
withdraw_claim(ARGV[1])
local carry_out = is_free and ARGV[6] == '1' and claim_carrier(fence or '0', ARGV[7])
hand_over(was_held, is_free, holder, fence or '0', ARGV[3], ARGV[4], ARGV[5] == '1', carry_out)
return reply
