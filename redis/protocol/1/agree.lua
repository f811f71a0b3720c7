-- Changes which clients the node accepts, unless an administrator has done so since this one read it.
-- KEYS: 3 the marker; 1 and 2 are the marker too, because the user may have no rights for any other key
-- ARGV: 1 the mark that was read or ''; 2 the next configuration, or '' to keep it; 3 the next mark, or '' to change
--       nothing; 4 a fence that all later ones must exceed
-- Returns {'agreed', the configuration or '' if there is none, the mark or '', a fence not below any accepted one}.
-- @include lib/marker
local _, _, agreed_config, floor, gmax = read_marker()
local mark = redis.call('HGET', KEYS[3], 'mark') or ''
if ARGV[3] ~= '' and mark == ARGV[1] then
  mark, floor = ARGV[3], greatest(floor, ARGV[4])
  redis.call('HSET', KEYS[3], 'mark', mark, 'floor', floor)
  if ARGV[2] ~= '' then
    agreed_config = ARGV[2]
    redis.call('HSET', KEYS[3], 'config', agreed_config)
  end
  redis.call('HDEL', KEYS[3], 'summary')
end
return {'agreed', agreed_config or '', mark, greatest(floor, gmax)}
