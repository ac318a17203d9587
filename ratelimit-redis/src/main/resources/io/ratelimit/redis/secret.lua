-- The first host says what the secret of its namespace is; those who have it say again from time to time that it is of use,
-- so that one which no host has any more is forgotten.
--
-- KEYS[1] the secret
-- ARGV[1] this host's
-- ARGV[2] how long it is to be kept, in milliseconds
--
-- Answers the secret.

local secret = redis.pcall('GET', KEYS[1])
if type(secret) == 'table' and not string.find(secret.err, 'WRONGTYPE') then
  return secret
end
if type(secret) ~= 'string' or secret == '' then
  secret = ARGV[1]
end
if secret == ARGV[1] then
  redis.call('SET', KEYS[1], secret, 'PX', ARGV[2])
end
return secret
