-- Releases a lock without a fence: compare and delete. Fails if there are waiters, which the benchmark does not have.
-- KEYS and ARGV: as in the library's script of this name.
-- @include lib/marker
if redis.call('GET', KEYS[1]) ~= ARGV[1] then return {'refused', 0, '0'} end
redis.call('DEL', KEYS[1])
if redis.pcall('ZRANGE', KEYS[4], 0, 0)[1] then return redis.error_reply('ERR this script notifies no waiters') end
return {'granted'}
