
-- The slow path of release: waiters are queued, the attempt must be sealed, or another owner holds the lock.
local reply = was_held and {'granted'} or refused(holder and KEYS[1], fence)
if not is_sealed then fence = seal(fence, ARGV[2]) end
hand_over(was_held, was_held, holder, fence or '0', ARGV[3], ARGV[4], ARGV[5] == '1')
return reply
