-- Compare and delete.
if redis.call('GET', KEYS[1]) ~= ARGV[1] then return {'refused', 0, '0'} end
redis.call('DEL', KEYS[1])
if not redis.pcall('ZRANGE', KEYS[4], 0, 0)[1] then return {'granted'} end
