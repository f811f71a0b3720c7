
-- Notifies the next waiter.
notify_next('0')
return {'granted'}
