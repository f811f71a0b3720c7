-- Takes a shared hold if the lock has no exclusive holder, is not reserved for an exclusive waiter and has none queued
-- ahead, and the proposed fence is above every accepted fence.
-- KEYS and ARGV: as acquire, except that ARGV 9 has no effect
-- Returns the replies of acquire.
-- @include lib/marker
-- @include lib/fence_accept
-- @include lib/fence_bounds
-- @include lib/fence_check
-- @include lib/extend_ttl
-- @include lib/shared_holds
-- @include lib/standing_claims
-- @include lib/wait_queue
-- @include lib/reservation
local owner, entry, number = ARGV[1], ARGV[7] or '', ARGV[8]

-- The queue may be long, and its first entries nearly always decide. It is read in steps of this many entries.
local STEP = 16

-- Returns whether an exclusive waiter is queued ahead. Drops exclusive waiters that can no longer be notified: they
-- would block this claim for as long as the lock is held shared.
local function is_behind_exclusive()
  local skipped = 0
  while true do
    local others = redis.pcall('ZRANGE', KEYS[4], skipped, skipped + STEP - 1)
    for _, other in ipairs(others) do
      if other == entry then return false end
      if is_shared_entry(other) then
        skipped = skipped + 1
      else
        local subscribers = redis.pcall('PUBSUB', 'NUMSUB', inbox_channel(other))
        if subscribers.err or subscribers[2] ~= 0 then return true end
        dequeue(other)
      end
    end
    if #others < STEP then return false end
  end
end

-- Returns whether the claim must wait although the lock has no exclusive holder.
local function must_wait(reserved)
  if reserved and not is_shared_entry(reserved) then return true end
  if is_reserved_for(reserved, entry) then return false end
  if entry ~= '' then enqueue(entry, number) end
  return is_behind_exclusive()
end

local values = redis.call('MGET', KEYS[1], KEYS[2], KEYS[5])
local holder, fence, reserved = values[1], values[2], values[3]
local marker_run, admitted, agreed_config, floor, gmax = read_marker()
local rejection = node_rejection(marker_run, admitted, agreed_config, ARGV[5], ARGV[6])
if rejection then return rejection end
if holder == owner or has_shared_hold(holder, owner) then return 'granted' end
local is_exclusive = holder and holder ~= SHARED
if is_exclusive or must_wait(reserved) then
  if not holder and not reserved then notify_next(fence or '0') end
  if entry ~= '' then queue_claim(entry, number, fence, floor) end
  return refused_acquire(holder, fence)
end
rejection = fence_rejection(fence, floor, gmax, ARGV[3])
if rejection then return rejection end
if entry ~= '' then
  dequeue(entry)
  cancel_reservation(entry)
end
return take_shared(holder, gmax, owner, ARGV[2], ARGV[4])
