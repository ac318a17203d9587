-- The first host says what the secret of its namespace is; each one says again from time to time that it is of use.
--
-- KEYS[1] the secret
-- ARGV[1] this host's
-- ARGV[2] how long it is to be kept, in milliseconds
--
-- Answers the secret.

local secret = redis.call('GET', KEYS[1]) or ARGV[1]
redis.call('SET', KEYS[1], secret, 'PX', ARGV[2])
return secret
