-- Carries out claims of many locks, each as acquire or release does, in their order. The failure of one does not affect
-- the others.
-- KEYS: 1 the marker; and for each claim: the lock, the fence, the wait queue, the reservation, the shared holders, the
--       standing claims.
-- ARGV: 1 the run id; 2 the configuration; and for each claim: 'acquire', 'release' or 'withdraw', the owner, the ttl
--       in ms, the proposed fence, and the greatest fence that the attempt sends or sent to this node.
-- Returns for each claim the reply of its script, or {'failed', the error}.
-- @constant FENCE_MILLIS
local marker, run, config = KEYS[1], ARGV[1], ARGV[2]
local claim_count = (#KEYS - 1) / 6

-- Most claims take a fast path below. The others are carried out by their own scripts, whose functions Lua builds only
-- then.
local function acquire(KEYS, ARGV)
-- @include acquire
end

local function release(KEYS, ARGV)
-- @include release
end

-- Returns the keys of a claim as its own script receives them.
local function keys_after(k)
  return {KEYS[k + 1], KEYS[k + 2], marker, KEYS[k + 3], KEYS[k + 4], KEYS[k + 5], KEYS[k + 6]}
end

-- The claims are of different locks, so none changes what is read here for another.
local names = {}
for i = 0, claim_count - 1 do
  names[3 * i + 1], names[3 * i + 2], names[3 * i + 3] = KEYS[6 * i + 2], KEYS[6 * i + 3], KEYS[6 * i + 5]
end
local values = redis.call('MGET', unpack(names))

local may_vote, floor, gmax

-- Reads the summary of the marker, which lib/summary.lua describes.
local function read_summary()
  local summary = redis.call('HGET', marker, 'summary') or ''
  floor, gmax = string.sub(summary, 1, 16), string.sub(summary, 17, 32)
  may_vote = string.sub(summary, 88) == run .. ' ' .. config
    and (run == '' or string.find(redis.call('INFO', 'replication'), string.sub(summary, 33, 87), 1, true) ~= nil)
end

-- Takes a lock on the fast path of acquire. Returns whether it did.
local function takes(i, owner, ttl, proposed, greatest_fence)
  local holder, fence, reserved = values[3 * i + 1], values[3 * i + 2], values[3 * i + 3]
  if not fence or holder or reserved or #fence ~= 16 or #proposed ~= 16 or #greatest_fence ~= 16
    or proposed <= fence then
    return false
  end
  if may_vote == nil then read_summary() end
  if not may_vote or proposed <= floor or greatest_fence > gmax then return false end
  redis.call('SET', KEYS[6 * i + 3], greatest_fence, 'PX', tonumber(ttl) > FENCE_MILLIS and ttl or FENCE_MILLIS)
  if redis.call('SET', KEYS[6 * i + 2], owner, 'PX', ttl, 'NX') then return true end
  -- The key is of another type: the error of this command says so, and is the reply to the claim.
  redis.call('GET', KEYS[6 * i + 2])
  return false
end

-- Releases a lock on the fast path of release. Returns whether it did.
local function frees(i, owner, greatest_fence)
  local holder, fence = values[3 * i + 1], values[3 * i + 2]
  if holder ~= owner or not fence or #fence ~= #greatest_fence or fence < greatest_fence then return false end
  return redis.call('PTTL', KEYS[6 * i + 4]) == -2 and redis.call('DEL', KEYS[6 * i + 2]) == 1
end

local function carry_out(i)
  local a = 5 * i + 2
  local action, owner, ttl, proposed, greatest_fence = ARGV[a + 1], ARGV[a + 2], ARGV[a + 3], ARGV[a + 4], ARGV[a + 5]
  if action == 'acquire' then
    if takes(i, owner, ttl, proposed, greatest_fence) then return 'granted' end
    -- What follows may change the bounds of the fences.
    may_vote = nil
    return acquire(keys_after(6 * i + 1), {owner, ttl, proposed, greatest_fence, run, config})
  end
  if frees(i, owner, greatest_fence) then return 'granted' end
  may_vote = nil
  return release(keys_after(6 * i + 1), {owner, greatest_fence, '', '', '0', action == 'release' and '1' or '0', run})
end

local replies = {}
for i = 0, claim_count - 1 do
  local ran, reply = pcall(carry_out, i)
  local failure = (type(reply) == 'table' and reply.err) or (not ran and tostring(reply))
  replies[i + 1] = failure and {'failed', failure} or reply
end
return replies
