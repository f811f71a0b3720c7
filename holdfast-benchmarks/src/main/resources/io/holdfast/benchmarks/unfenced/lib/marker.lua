-- The part that the scripts without a fence share. KEYS: 1 the lock, 3 the node's marker.

-- Returns the reason why the node must not vote, or nil, as the library's function does.
local function rejection_reason(admitted_run, admitted, agreed, run, fleet)
  if agreed and agreed ~= fleet then return {'conflict', agreed} end
  if run == '' then return nil end
  if admitted_run ~= run then return {'quarantined', '0'} end
  if admitted ~= '1' then return {'quarantined', redis.call('HGET', KEYS[3], 'watched') or '0'} end
  return nil
end
