-- A host of a service is there; those that have not said so for a while are not.
--
-- KEYS[1] the service's hosts, by the time in milliseconds until which they count
-- ARGV[1] this host
-- ARGV[2] for how many milliseconds it counts; 0 when it leaves
--
-- Answers how many hosts there are.

local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local lease = tonumber(ARGV[2])
local gone = redis.pcall('ZREMRANGEBYSCORE', KEYS[1], '-inf', string.format('(%.0f', now))
if type(gone) == 'table' then
  if not string.find(gone.err, 'WRONGTYPE') then
    return gone
  end
  redis.call('DEL', KEYS[1])
end
if lease > 0 then
  redis.call('ZADD', KEYS[1], string.format('%.0f', now + lease), ARGV[1])
  redis.call('PEXPIRE', KEYS[1], ARGV[2])
else
  redis.call('ZREM', KEYS[1], ARGV[1])
end
return redis.call('ZCARD', KEYS[1])
