-- Writes what a host has made of a client's entry, if the entry is still the one that it was made of.
--
-- KEYS[1] the entry
-- ARGV[1] the time in microseconds; empty for the time of this server
-- ARGV[2] how the entry must begin; empty if there must be none
-- ARGV[3] the new entry; empty to remove it
-- ARGV[4] how long it is to be kept, in milliseconds
--
-- Answers the time, the entry as it was, and 1 if the new one was written.

local value = redis.call('GET', KEYS[1])
local same
if ARGV[2] == '' then
  same = not value
else
  same = value and string.sub(value, 1, #ARGV[2]) == ARGV[2]
end
if same then
  if ARGV[3] == '' then
    redis.call('DEL', KEYS[1])
  else
    redis.call('SET', KEYS[1], ARGV[3], 'PX', ARGV[4])
  end
  return {0, false, 1}
end

local now
if ARGV[1] == '' then
  local time = redis.call('TIME')
  now = time[1] * 1000000 + time[2]
else
  now = tonumber(ARGV[1])
end
return {now, value, 0}
