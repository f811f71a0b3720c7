-- Returns whether the node votes. If it does not, adds the time that its observer has observed, and makes this client
-- the observer if there is none. Admits the node once it was observed for long enough and a floor for the fences it may
-- have forgotten is known.
-- KEYS: 1 and 2 not used; 3 the marker
-- ARGV: 1 the run id of the server process at the other end of this connection; 2 the name of the observer's previous
--       probe; 3 the name of this probe; 4 '1' to take over from another observer; 5 ms observed since the last reply;
--       6 ms needed in all (0: an administrator admits the node); 7 the floor for fences or '' while it is not known; 8
--       the configuration
-- Returns {'admitted', a fence not below any accepted one}, {'quarantined', ms observed, '1' if this client is the
-- observer} or {'conflict', the agreed configuration}.
-- @include lib/marker
local marker_run, admitted, agreed_config, lowest, gmax = read_marker()
local run, previous, this, added, needed, floor, config =
  ARGV[1], ARGV[2], ARGV[3], tonumber(ARGV[5]), tonumber(ARGV[6]), ARGV[7], ARGV[8]
if agreed_config and agreed_config ~= config and needed > 0 then return {'conflict', agreed_config} end
local quarantine = redis.call('HMGET', KEYS[3], 'observer', 'observed')
local observer, observed = quarantine[1], tonumber(quarantine[2] or '0')
if not is_same_process(marker_run, run) then
  -- The marker is missing, belongs to another process, or predates a failover: votes that it refers to may be
  -- forgotten.
  redis.call('HSET', KEYS[3], 'run', run, 'replid2', replication_history(), 'admitted', '0')
  observed = 0
  observer = nil
elseif admitted == '1' then
  if agreed_config ~= config then redis.call('HSET', KEYS[3], 'config', config) end
  return {'admitted', greatest(lowest, gmax)}
end
-- A probe that is delivered twice finds another name here and adds nothing.
if observer == previous then observed = observed + added end
-- A floor counts only from the present observer: one learned before the node forgot again is too low.
local may_admit = observer == previous or needed == 0
if observed >= needed and may_admit and floor ~= '' then
  floor = greatest(lowest, floor)
  redis.call('HDEL', KEYS[3], 'observer', 'observed')
  redis.call('HSET', KEYS[3], 'admitted', '1', 'floor', floor, 'config', config)
  return {'admitted', greatest(floor, gmax)}
end
if ARGV[4] == '1' or not observer or observer == previous then observer = this end
observed = string.format('%.0f', observed)
redis.call('HSET', KEYS[3], 'observer', observer, 'observed', observed, 'config', config)
return {'quarantined', observed, observer == this and '1' or '0'}
