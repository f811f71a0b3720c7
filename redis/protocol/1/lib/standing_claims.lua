-- Standing claims: a hash of the claims of refused waiters, by the entries of the wait queue, and of these entries by
-- owner. Requires marker.lua and fence_bounds.lua.

-- The life of the hash after its last change, not below the age of any claim that is carried out.
local CLAIMS_MILLIS = 500

local function owner_field(owner)
  return '@' .. owner
end

-- Removes and returns the claim of an entry, or nil.
local function take_claim(entry)
  local claim = redis.pcall('HGET', KEYS[7], entry)
  if type(claim) ~= 'string' then return nil end
  redis.pcall('HDEL', KEYS[7], entry, owner_field(string.match(claim, '%S*$')))
  return claim
end

-- Stores the claim of an entry, which has none. If the server is out of memory, the claim is not stored, and its client
-- is notified instead.
local function store_claim(entry, age, owner, ttl, fence, greatest_fence, run, config)
  local since = string.format('%.0f', clock_micros())
  local claim = table.concat({since, age, ttl, fence, greatest_fence, run, config, owner}, ' ')
  redis.pcall('HSET', KEYS[7], entry, claim, owner_field(owner), entry)
  redis.pcall('PEXPIRE', KEYS[7], CLAIMS_MILLIS)
end

-- Removes the claim of an attempt that has ended. A later claim of the same client stays.
local function withdraw_claim(owner)
  local entry = redis.pcall('HGET', KEYS[7], owner_field(owner))
  if type(entry) == 'string' then take_claim(entry) end
end

