
-- What is left of release: somebody is in line, or the seal has to be judged, or the lock is not this owner's.
local reply = ours and {'granted'} or refused(holder and KEYS[1], fence)
if not is_sealed then fence = seal(fence, ARGV[2]) end
pass_on(ours, ours, holder, fence or '0', ARGV[3], ARGV[4], ARGV[5] == '1')
return reply
