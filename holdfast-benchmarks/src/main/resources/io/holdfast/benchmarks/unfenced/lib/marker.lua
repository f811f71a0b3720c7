-- What the scripts share of a lock without a fence; put before each of them. KEYS: 1 the lock, 3 the node's marker.

-- Why the node must not vote, or nil: as in the library.
local function barred(admitted_run, admitted, agreed, run, fleet)
  if agreed and agreed ~= fleet then return {'conflict', agreed} end
  if run == '' then return nil end
  if admitted_run ~= run then return {'quarantined', '0'} end
  if admitted ~= '1' then return {'quarantined', redis.call('HGET', KEYS[3], 'watched') or '0'} end
  return nil
end

