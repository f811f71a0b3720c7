-- Writes the record beside the lock, unless the node has a later one, or may have forgotten a greater fence. An owner
-- that holds the lock on this node is the last one, whatever was forgotten.
-- KEYS: 1 the lock, 2 the fence, 3 the marker, 4 the record, 5 the list of records, unless it is on another server of a
--       cluster
-- ARGV: 1 the run id, 2 the configuration, 3 the owner, 4 its fence, 5 since when the record is complete, 6 its time to
--       live in ms, 7 the text, 8 its revision under the fence
-- Returns {'granted'}, {'stale', a fence} or {'conflict', the agreed configuration}.
-- @include lib/marker
-- @include lib/record
-- @include lib/record_list
local marker_run, admitted, agreed_config = read_marker()
local rejection = node_rejection_of_set(marker_run, admitted, agreed_config, ARGV[1], ARGV[2])
if rejection and rejection[1] == 'conflict' then return rejection end
local fence, _, _, _, revision = read_record()
local since, forgotten = read_memory(rejection, ARGV[1])
if is_above(fence, ARGV[4]) or (fence == ARGV[4] and is_above(revision, ARGV[8])) then return {'stale', fence} end
if not is_above(ARGV[4], forgotten) and redis.call('GET', KEYS[1]) ~= ARGV[3] then return {'stale', forgotten} end
redis.call('SET', KEYS[4], table.concat({ARGV[4], ARGV[8], since, ARGV[5], ARGV[7]}, ' '), 'PX', ARGV[6])
if KEYS[5] then list_record(KEYS[5], KEYS[1], ARGV[6]) end
return {'granted'}
