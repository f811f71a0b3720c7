-- Compare and delete, and call the next in line.
if redis.call('GET', KEYS[1]) ~= ARGV[1] then return {'refused', 0, '0'} end
redis.call('DEL', KEYS[1])
call_next('0')
return {'granted'}
