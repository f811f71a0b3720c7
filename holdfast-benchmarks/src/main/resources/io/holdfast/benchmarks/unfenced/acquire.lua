-- A lock without a fence, with the quarantine and the wait queue of the library; to measure the cost of a fence.
-- @include lib/marker
-- @include lib/fence_accept
-- @include lib/take_exclusive
local values = redis.call('MGET', KEYS[1], KEYS[5])
local holder, reserved = values[1], values[2]
local m = redis.call('HMGET', KEYS[3], 'run', 'admitted', 'config')
local rejection = node_rejection(m[1], m[2], m[3], ARGV[5], ARGV[6])
if rejection then return rejection end
if holder == ARGV[1] then return {'granted'} end
if holder or reserved then return {'refused', redis.call('PTTL', KEYS[1]), '0'} end
redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])
do return {'granted'} end
-- @include lib/fence_bounds
-- @include lib/fence_check
-- @include lib/wait_queue
-- @include acquire_queued
