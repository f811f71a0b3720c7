
-- What is left of acquire: the lock is held or kept for somebody, or the line matters, or the fence has to be judged.
if ARGV[9] == '1' and not holder and not called then
  enter(inbox, ARGV[8])
  if first_in_line() ~= inbox then called = call_next(fence or '0') end
end
if holder or (called and called ~= inbox) then
  if inbox ~= '' then enter(inbox, ARGV[8]) end
  return refused_in_line(holder, fence)
end
local no = objection(fence, floor, gmax, ARGV[3])
if no then return no end
if inbox ~= '' then
  redis.call('ZREM', KEYS[4], inbox)
  redis.call('DEL', KEYS[5])
end
return take(gmax, ARGV[1], ARGV[2], ARGV[4])
