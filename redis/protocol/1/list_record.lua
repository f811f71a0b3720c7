-- Lists a lock among those with a record, on the server of a cluster that has the list.
-- KEYS: 1 the list of records
-- ARGV: 1 the lock, 2 the time to live of its record in ms
-- Returns {'granted'}.
-- @include lib/record_list
list_record(KEYS[1], ARGV[1], ARGV[2])
return {'granted'}
