
-- The slow path of release: waiters are queued, the attempt must be sealed, or another owner holds the lock.
local reply = was_held and 'granted' or refused(holder and KEYS[1], fence)
if not is_sealed then fence = seal(fence, ARGV[2]) end
withdraw_claim(ARGV[1])
local carry_out = was_held and ARGV[6] == '1' and claim_carrier(ARGV[2], ARGV[7])
hand_over(was_held, was_held, holder, fence or '0', ARGV[3], ARGV[4], ARGV[5] == '1', carry_out)
return reply
