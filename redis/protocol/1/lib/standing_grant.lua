-- Carries out standing claims after a release. Requires standing_claims.lua, wait_queue.lua, fence_check.lua,
-- take_exclusive.lua and shared_holds.lua.

-- Undoes a grant that its client did not receive.
local function undo_grant(entry, owner)
  if is_shared_entry(entry) then redis.call('ZREM', KEYS[6], owner) end
  if not is_shared_entry(entry) or longest_hold_millis() <= 0 then redis.call('DEL', KEYS[1], KEYS[6]) end
end

-- Returns whether the lock was taken. A write may fail, for example where the server is out of memory.
local function try_take(is_held, entry, gmax, owner, ttl, fence)
  local ran, reply
  if is_shared_entry(entry) then
    ran, reply = pcall(take_shared, is_held, gmax, owner, ttl, fence)
  else
    ran, reply = pcall(take_exclusive, gmax, owner, ttl, fence)
  end
  return ran and reply == 'granted'
end

-- Returns a function that carries out the claim of an entry, if this server process received it and grants it. That
-- function returns the fence, or nil if the client has to be notified. Only accepted fences count: the seals of other
-- attempts since the claim was stored say nothing about it.
local function claim_carrier(accepted, run)
  local is_held = false
  return function(entry, fence)
    local claim = take_claim(entry)
    if not claim or fence == '0' then return nil end
    local subscribers = redis.pcall('PUBSUB', 'NUMSUB', inbox_channel(entry))
    if not subscribers.err and subscribers[2] == 0 then return nil end
    local since, age, ttl, proposed, greatest_fence, claim_run, config, owner =
      string.match(claim, '^(%d+) (%d+) (%d+) (%d+) (%d+) (%S*) (%S*) (%S+)$')
    local elapsed = clock_micros() - tonumber(since)
    if claim_run ~= run or elapsed < 0 or elapsed > 1000 * tonumber(age) then return nil end
    local marker_run, admitted, agreed_config, floor, gmax = read_marker()
    if node_rejection(marker_run, admitted, agreed_config, claim_run, config) then return nil end
    if fence_rejection(accepted, floor, gmax, proposed) then return nil end
    local present = greatest(fence, greatest_fence)
    if not try_take(is_held, entry, gmax, owner, ttl, present) then return nil end
    if not send_grant(entry, owner, proposed) then
      undo_grant(entry, owner)
      return nil
    end
    is_held = true
    accepted = greatest(accepted, greatest_fence)
    return present
  end
end

