
-- Call the next in line.
call_next('0')
return {'granted'}
