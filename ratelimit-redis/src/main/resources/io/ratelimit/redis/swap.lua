-- Writes what a host has made of a client's entry, if the entry is still the one that it was made of.
--
-- KEYS[1] the entry
-- ARGV[1] the time in microseconds; empty for the time of this server
-- ARGV[2] the entry as it must be; empty if there must be none
-- ARGV[3] the new entry; empty to remove it
-- ARGV[4] how long it is to be kept, in milliseconds
--
-- Answers the time (a double), then one byte: 1 if the new entry was written, or 0; then, if it was not, the entry as it is.

local value = redis.pcall('GET', KEYS[1])
if type(value) == 'table' then
  if not string.find(value.err, 'WRONGTYPE') then
    return value
  end
  value = false
end
if (value or '') == ARGV[2] then
  if ARGV[3] == '' then
    redis.call('DEL', KEYS[1])
  else
    redis.call('SET', KEYS[1], ARGV[3], 'PX', ARGV[4])
  end
  return struct.pack('>dB', 0, 1)
end

local now
if ARGV[1] == '' then
  local time = redis.call('TIME')
  now = time[1] * 1000000 + time[2]
else
  now = tonumber(ARGV[1])
end
return struct.pack('>dB', now, 0) .. (value or '')
