-- The summary of the marker: a field with all that the fast path of acquire compares. Requires marker.lua.
-- It contains the floor and gmax with 16 digits each, the line of INFO that names the replication history, and the run id
-- and the configuration of a client that the node voted for, with a blank between them. What changes one of these, except
-- a greater gmax, removes the summary.

-- Writes the summary that lets claims of this run id and configuration take the fast path, if it is another one.
local function write_summary(present, floor, gmax, run, config)
  local bounds = string.format('%016.0f%016.0f', tonumber(floor), tonumber(gmax))
  local summary = bounds .. 'master_replid2:' .. recorded_history .. run .. ' ' .. config
  if summary ~= present then redis.call('HSET', KEYS[3], 'summary', summary) end
end
