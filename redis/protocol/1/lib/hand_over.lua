-- The steps that follow when an attempt releases its hold. Requires fence_bounds.lua and reservation.lua.

-- Seals the attempt: a claim or a repair of it that arrives later is stale. Returns the fence. Does not store
-- a seal that the node would reject anyway, or one so far in the future that it would block the resource.
local function seal(fence, greatest_fence)
  local number = string.format('%.0f', tonumber(greatest_fence) + 1)
  if not is_above(number, fence or '0') then return fence end
  local _, _, _, floor, gmax = read_marker()
  local present
  if not fence or is_above(number, gmax) then _, present = refresh_bounds(floor, gmax, number) end
  if present then return fence or '0' end
  store_fence(number, redis.call('PTTL', KEYS[1]))
  return number
end

-- Removes the attempt from the queue, or queues it again. Serves the next waiter if the lock became free or the attempt's
-- reservation ended, and notifies shared waiters if this attempt no longer blocks them. Only the release of a lease
-- carries out claims, and only if it has freed the lock.
local function hand_over(was_held, is_free, holder, fence, entry, number, requeues, carry_out)
  if entry ~= '' and requeues then
    if was_held then enqueue(entry, number) end
  elseif entry ~= '' then
    dequeue(entry)
    local reservation_ended = cancel_reservation(entry)
    carry_out = is_free and carry_out
    is_free = is_free or (reservation_ended and not holder)
  end
  if is_free then
    notify_next(fence, carry_out)
  elseif entry ~= '' and not requeues and holder == SHARED then
    notify_shared(fence)
  end
end
