
-- The slow path of acquire: the lock is held or reserved, the queue matters, or the fence bounds must be refreshed.
if ARGV[9] == '1' and not holder and not reserved then
  enqueue(entry, ARGV[8])
  if first_in_queue() ~= entry then reserved = notify_next(fence or '0') end
end
if holder or (reserved and reserved ~= entry) then
  if entry ~= '' then queue_claim(entry, ARGV[8], fence, floor) end
  return refused_acquire(holder, fence)
end
rejection = fence_rejection(fence, floor, gmax, ARGV[3])
if rejection then return rejection end
if entry ~= '' then
  dequeue(entry)
  redis.call('DEL', KEYS[5])
end
if summary ~= nil and not is_above(greatest_fence, gmax) then write_summary(summary, floor, gmax, ARGV[5], ARGV[6]) end
return take_exclusive(gmax, ARGV[1], ARGV[2], ARGV[4])
