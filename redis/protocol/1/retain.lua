-- Ends the hold of this owner and seals its attempt as release does, but keeps the lock for exactly the given time from
-- now. No waiter is notified that the lock is free; the next one learns when it will be.
-- KEYS: as release
-- ARGV: 1 the owner, 2 how long to keep the lock in ms, 3 the greatest fence that the attempt sent to this node
-- Returns 'granted' or {'refused', ms left of another owner's hold or of a retained lock, fence}.
-- @include lib/marker
-- @include lib/fence_bounds
-- @include lib/standing_claims
-- @include lib/wait_queue
-- @include lib/reservation
-- @include lib/hand_over
-- @include lib/retention
local values = redis.call('MGET', KEYS[1], KEYS[2])
local holder, fence = values[1], values[2]
local was_held = holder == ARGV[1]
local reply = was_held and 'granted' or refused(holder and KEYS[1], fence)
if was_held then
  -- The deletion comes first: a server out of memory lets a script continue once it has freed something.
  redis.call('DEL', KEYS[1])
  redis.call('SET', KEYS[1], retained(ARGV[1]), 'PX', ARGV[2])
end
local is_sealed = was_held and fence and not is_above(ARGV[3], fence)
if not is_sealed then
  fence = seal(fence, ARGV[3])
elseif tonumber(ARGV[2]) > FENCE_MILLIS then
  redis.call('PEXPIRE', KEYS[2], ARGV[2])
end
withdraw_claim(ARGV[1])
if was_held then announce_end(tonumber(ARGV[2]), fence or '0') end
return reply
