-- Returns whether the node votes. If it does not, adds the time that its observer has observed, and makes this client
-- the observer if there is none. Admits the node once it was in quarantine for long enough and a floor for the fences it
-- may have forgotten is known. A probe that uses its name again, adds no time and takes nothing over only reads, and
-- writes nothing.
-- KEYS: 3 the marker; 1 and 2 are the marker too, because the user may have no rights for any other key
-- ARGV: 1 the run id of the server process at the other end of this connection; 2 the name of the observer's previous
--       probe; 3 the name of this probe; 4 '1' to take over from another observer; 5 ms observed since the last reply;
--       6 ms needed in all (0: an administrator admits the node); 7 the floor for fences or '' while it is not known; 8
--       the configuration; 9 the name of the quarantine that the client knows or ''; 10 the machine of the client or
--       ''; 11 ms of that machine's clock; 12 '1' if the set is closed, as the other nodes know it: it accepts only
--       clients of two sets; '0' if it is not; '' if that is not known; 13 the mark of the last change that they know,
--       or ''.
-- Returns {'admitted', a fence not below any accepted one, '1' if the node is closed, the mark or ''}, {'quarantined',
-- ms that have passed, '1' if this client is the observer, the name of the quarantine or ''} or {'conflict', the agreed
-- configuration}.
-- @include lib/marker
-- @include lib/fence_bounds
local marker_run, admitted, agreed_config, lowest, gmax = read_marker()
local run, previous, this, added, needed, floor, config =
  ARGV[1], ARGV[2], ARGV[3], tonumber(ARGV[5]), tonumber(ARGV[6]), ARGV[7], ARGV[8]
local known, machine, reading = ARGV[9], ARGV[10], tonumber(ARGV[11])
local is_glance = previous == this and added == 0 and ARGV[4] ~= '1' and needed > 0
local is_accepted, is_process = accepts(agreed_config, config), is_same_process(marker_run, run)
local is_of_set = is_accepted or of_one_set(agreed_config) == of_one_set(config)
-- An administrator may move the node to another set. A client of its own set may observe it while it does not vote,
-- also if it takes part in another change: that may be an earlier one, and ends with its quarantine.
local moves = needed == 0 and not is_of_set
local observes = needed > 0 and is_of_set and not is_glance and not (is_process and admitted == '1')
if not is_accepted and not moves and not observes then return {'conflict', agreed_config} end
local next_config = not moves and agreed_config or of_one_set(config)

local mark = redis.call('HGET', KEYS[3], 'mark') or ''

-- No mark is used twice: an administrator who has read an earlier one must not change this node.
local function renewed(text)
  return string.match(text, '^[^/]*') .. '/' .. this
end

local function admitted_with(fence)
  if not accepts(next_config, config) then return {'conflict', next_config} end
  return {'admitted', fence, string.find(next_config, '+', 1, true) and '1' or '0', mark}
end

local quarantine = redis.call('HMGET', KEYS[3], 'observer', 'observed', 'quarantine', 'machines', 'elapsed')
local observer, observed, name = quarantine[1], tonumber(quarantine[2] or '0'), ''
local machines, elapsed = quarantine[4] or '', tonumber(quarantine[5] or '0')
if not is_process then
  -- The marker is missing, belongs to another process, or predates a failover: votes that it refers to may be
  -- forgotten.
  if is_glance then return {'quarantined', '0', '0', ''} end
  redis.call('HSET', KEYS[3], 'run', run, 'replid2', replication_history(), 'admitted', '0')
  redis.call('HDEL', KEYS[3], 'summary')
  observed = 0
  observer = nil
elseif admitted == '1' then
  if agreed_config ~= next_config and not is_glance then
    if moves then mark = renewed(mark) end
    redis.call('HSET', KEYS[3], 'config', next_config, 'mark', mark)
    redis.call('HDEL', KEYS[3], 'summary')
  end
  return admitted_with(greatest(lowest, gmax))
end
-- Older clients begin a quarantine without a name, so a name is stored with the process that it belongs to.
local process = ' ' .. run .. ' ' .. replication_history()
local named, of_process = string.match(quarantine[3] or '', '^(%S+)( .*)$')
if observer and of_process == process then
  name = named
else
  machines, elapsed = '', 0
  if this ~= previous then name = this end
end
-- A probe that is delivered twice finds another name here and adds nothing.
if observer == previous then observed = observed + added end
-- A client that knows the name read its clock after this quarantine began. Later readings of the same machine show the
-- time since then; the server's clock confirms it.
if machine ~= '' then
  local micros = clock_micros()
  local found, count = false, 0
  for other, its_reading, its_micros in string.gmatch(machines, '(%S+) (%d+) (%d+);') do
    count = count + 1
    if other == machine then
      found = true
      local passed = math.min(reading - tonumber(its_reading), (micros - tonumber(its_micros)) / 1000)
      elapsed = math.max(elapsed, math.floor(passed))
    end
  end
  if not found and known == name and of_process == process and count < 16 then
    machines = machines .. string.format('%s %.0f %.0f;', machine, reading, micros)
  end
end
local passed = math.max(observed, elapsed)
-- A floor counts only in the quarantine in which it was learnt: one learnt before the node forgot again is too low.
local may_admit = observer == previous or needed == 0 or (known ~= '' and known == name and of_process == process)
if passed >= needed and may_admit and floor ~= '' then
  floor = greatest(lowest, floor)
  redis.call('HDEL', KEYS[3], 'observer', 'observed', 'quarantine', 'machines', 'elapsed', 'summary')
  -- The node has forgotten records until now, unless an administrator says that there were none.
  local remembers_since = needed == 0 and '0' or string.format('%.0f', clock_micros())
  -- The node may have been restored from an older copy, so its own agreement counts no more.
  if (ARGV[12] or '') ~= '' then
    next_config = ARGV[12] == '1' and config or of_one_set(config)
    mark = ARGV[13] or ''
  end
  mark = renewed(mark)
  redis.call('HSET', KEYS[3], 'admitted', '1', 'floor', floor, 'config', next_config, 'mark', mark, 'remembers_since',
    remembers_since, 'forgotten', floor)
  return admitted_with(greatest(floor, gmax))
end
if is_glance then
  return {'quarantined', string.format('%.0f', passed), observer == this and '1' or '0', name}
end
if ARGV[4] == '1' or not observer or observer == previous then observer = this end
passed = string.format('%.0f', passed)
redis.call('HSET', KEYS[3], 'observer', observer, 'observed', string.format('%.0f', observed),
  'quarantine', name == '' and '' or name .. process, 'machines', machines, 'elapsed', passed)
return {'quarantined', passed, observer == this and '1' or '0', name}
