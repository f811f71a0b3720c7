-- Stores a note about a holder, if it holds the lock on this node. A late command of a lease that has ended must not
-- replace the note of the next holder.
-- KEYS: 1 the lock, 2 the shared holders, 3 the note
-- ARGV: 1 the owner, 2 the note or '' to delete it, 3 its time to live in ms
-- Returns 1 if the owner holds the lock, else 0.
local SHARED = 'holdfast:shared'
local holder = redis.call('GET', KEYS[1])
if holder ~= ARGV[1] and not (holder == SHARED and redis.call('ZSCORE', KEYS[2], ARGV[1])) then return 0 end
if ARGV[2] == '' then
  redis.call('DEL', KEYS[3])
else
  redis.call('SET', KEYS[3], ARGV[2], 'PX', ARGV[3])
end
return 1
