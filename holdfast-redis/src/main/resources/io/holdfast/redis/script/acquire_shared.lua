-- Takes a share of the lock if nobody holds it alone, it is not kept for one who wants it alone, none of those is before in line, and
-- the proposed fence is above every fence that was accepted before.
-- KEYS: 1 the lock, 2 the fence, 3 the marker, 4 the line, 5 whoever was called, 6 the shares
-- ARGV: 1 to 6 as in acquire, 7 the place in line of a client that waits or '', 8 the number of its ticket
-- Returns as acquire does.
-- @include lib/marker
-- @include lib/fence_accept
-- @include lib/fence_bounds
-- @include lib/fence_check
-- @include lib/extend_ttl
-- @include lib/shared_holds
-- @include lib/wait_queue
-- @include lib/reservation
local owner, place, number = ARGV[1], ARGV[7], ARGV[8]

-- The wait queue is read in steps of so many places: it may be long, and the first few nearly always decide.
local STEP = 16

-- Whether one who wants the lock alone stands before in line. Those who cannot hear any more are dropped: they would bar the
-- way for as long as others share the lock.
local function is_behind_one_alone()
  local passed = 0
  while true do
    local some = redis.pcall('ZRANGE', KEYS[4], passed, passed + STEP - 1)
    for _, other in ipairs(some) do
      if other == place then return false end
      if is_share(other) then
        passed = passed + 1
      else
        local heard = redis.pcall('PUBSUB', 'NUMSUB', channel(other))
        if heard.err or heard[2] ~= 0 then return true end
        redis.call('ZREM', KEYS[4], other)
      end
    end
    if #some < STEP then return false end
  end
end

-- Whether a lock that nobody holds alone is kept for one who wants that.
local function is_kept_from_share(called)
  if called and not is_share(called) then return true end
  if is_called(called, place) then return false end
  if place ~= '' then enter(place, number) end
  return is_behind_one_alone()
end

local kept = redis.call('MGET', KEYS[1], KEYS[2], KEYS[5])
local holder, fence, called = kept[1], kept[2], kept[3]
local run, admitted, fleet, floor, gmax = marker()
local bar = barred(run, admitted, fleet, ARGV[5], ARGV[6])
if bar then return bar end
if holder == owner or has_share(holder, owner) then return {'granted'} end
local is_held = holder and holder ~= SHARED
if is_held or is_kept_from_share(called) then
  if not holder and not called then call_next(fence or '0') end
  if place ~= '' then enter(place, number) end
  return refused_in_line(holder, fence)
end
local no = objection(fence, floor, gmax, ARGV[3])
if no then return no end
if place ~= '' then
  redis.call('ZREM', KEYS[4], place)
  uncall(place)
end
return take_share(holder, gmax, owner, ARGV[2], ARGV[4])
