-- Looks whether the node votes. If not, adds what its watcher has watched, makes this client the watcher, and admits the
-- node once it has been watched long enough and the fences that it may have forgotten are known.
-- KEYS: 1 and 2 not used, 3 the marker
-- ARGV: 1 the run of the process to which this very connection leads, 2 the name of the watcher's look before, 3 that of this
--       look, 4 '1' to take over from another watcher, 5 ms watched since the last reply, 6 ms needed in all (0: an operator's
--       word), 7 the floor for fences or '' while it is not known, 8 the fleet
-- Returns {'admitted', a fence not below any accepted one}, {'quarantined', ms watched, '1' if by this watcher} or
-- {'conflict', the fleet of the others}.
-- @include lib/marker
local admitted_run, admitted, agreed, lowest, gmax = marker()
local run, before, me, added, needed, floor, fleet =
  ARGV[1], ARGV[2], ARGV[3], tonumber(ARGV[5]), tonumber(ARGV[6]), ARGV[7], ARGV[8]
if agreed and agreed ~= fleet and needed > 0 then return {'conflict', agreed} end
local watch = redis.call('HMGET', KEYS[3], 'watcher', 'watched')
local watcher, watched = watch[1], tonumber(watch[2] or '0')
if not is_of_marker(admitted_run, run) then
  -- No marker, that of another process, or one from before a failover: what it says about votes is forgotten or out of date.
  redis.call('HSET', KEYS[3], 'run', run, 'past', past(), 'admitted', '0')
  watched = 0
  watcher = nil
elseif admitted == '1' then
  if agreed ~= fleet then redis.call('HSET', KEYS[3], 'fleet', fleet) end
  return {'admitted', greatest(lowest, gmax)}
end
-- A look that arrives twice finds another name here, and adds nothing.
if watcher == before then watched = watched + added end
-- A floor that was learnt before the node forgot again says too little: whoever learnt it is not the watcher any more.
local may_admit = watcher == before or needed == 0
if watched >= needed and may_admit and floor ~= '' then
  floor = greatest(lowest, floor)
  redis.call('HDEL', KEYS[3], 'watcher', 'watched')
  redis.call('HSET', KEYS[3], 'admitted', '1', 'floor', floor, 'fleet', fleet)
  return {'admitted', greatest(floor, gmax)}
end
if ARGV[4] == '1' or not watcher or watcher == before then watcher = me end
watched = string.format('%.0f', watched)
redis.call('HSET', KEYS[3], 'watcher', watcher, 'watched', watched, 'fleet', fleet)
return {'quarantined', watched, watcher == me and '1' or '0'}
