-- Compare and delete.
-- @include lib/marker
if redis.call('GET', KEYS[1]) ~= ARGV[1] then return {'refused', 0, '0'} end
redis.call('DEL', KEYS[1])
if not redis.pcall('ZRANGE', KEYS[4], 0, 0)[1] then return {'granted'} end
-- @include lib/fence_bounds
-- @include lib/wait_queue
-- @include lib/reservation
-- @include lib/hand_over
-- @include release_queued
