-- The record beside a lock. Requires marker.lua. Its key is KEYS[4] here.

-- Returns the stored record: the fence under which it was written, the memory of the node in which it was written, since
-- when it is complete, the text, and its revision under that fence.
local function read_record()
  local stored = redis.call('GET', KEYS[4])
  if not stored then return '0', '', '0', '', '0' end
  local fence, revision, memory, complete, text = string.match(stored, '^(%d+) (%d+) (%d*) (%d+) (.*)$')
  return fence or '0', memory or '', complete or '0', text or '', revision or '0'
end

-- Returns since when the node has forgotten nothing, in microseconds of its clock, or '' in quarantine; and the greatest
-- fence that it may have forgotten.
local function read_memory(rejection, run)
  if run == '' then return '0', '0' end
  local memory = redis.call('HMGET', KEYS[3], 'remembers_since', 'forgotten')
  return rejection and '' or memory[1] or '0', memory[2] or '0'
end
