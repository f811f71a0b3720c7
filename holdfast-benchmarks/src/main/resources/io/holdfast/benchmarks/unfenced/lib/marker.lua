-- Functions that the scripts of a lock without a fence need. KEYS: 1 the lock, 3 the node's marker.

-- Returns the rejection if the node must not vote, else nil; as in the library.
local function node_rejection(marker_run, admitted, agreed_config, run, config)
  if agreed_config and agreed_config ~= config then return {'conflict', agreed_config} end
  if run == '' then return nil end
  if marker_run ~= run then return {'quarantined', '0'} end
  if admitted ~= '1' then return {'quarantined', redis.call('HGET', KEYS[3], 'observed') or '0'} end
  return nil
end

