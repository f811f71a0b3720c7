-- Reads the record beside the lock. A node in quarantine returns its record as well, but is no evidence
-- that none is missing.
-- KEYS: 1 the lock, 2 the fence, 3 the marker, 4 the record
-- ARGV: 1 the run id, 2 the configuration
-- Returns {'record', the fence or '0' if there is none, since when it is complete, the text, since when the node
-- remembers all records or '', the revision} or {'conflict', the agreed configuration}.
-- @include lib/marker
-- @include lib/record
local marker_run, admitted, agreed_config = read_marker()
local rejection = node_rejection_of_set(marker_run, admitted, agreed_config, ARGV[1], ARGV[2])
if rejection and rejection[1] == 'conflict' then return rejection end
local fence, written_in, complete, text, revision = read_record()
local since = read_memory(rejection, ARGV[1])
-- A record that was written in this memory takes account of what the node had forgotten before.
if since ~= '' and written_in == since and tonumber(complete) < tonumber(since) then since = complete end
return {'record', fence, complete, text, since, revision}
