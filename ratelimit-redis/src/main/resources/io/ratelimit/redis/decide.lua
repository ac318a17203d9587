-- Takes the steps of a call on a client's entry, if all its buckets refill evenly and count by limits that the host knows.
-- Numbers are exact up to 2^53. An entry in this form: 'E', then for each bucket the time at which it was written in
-- microseconds (a double), the form that tells its name and limits (its length in two bytes before it), the number of its
-- limits (one byte), and what was missing under each then in units (doubles); all with the most significant byte first. A
-- bucket without limits is one that only hosts understand, and behind one without a form is what they know.
--
-- KEYS[1] the entry
-- ARGV[1] the time in microseconds; empty for the time of this server
-- ARGV[2] numbers as io.ratelimit.core.entry.EvenCall has them, as doubles with the most significant byte first
-- ARGV[3] and all that follow: the forms of the buckets
--
-- Answers the time (a double), then one byte: 1 if the steps were taken, 2 if they were, and the entry is still there without
-- an expiry, which somebody else must have removed, 0 if the host must take them; then the entry as it was.

local EVEN_FORM = 69
local KEPT_MICROS = 2000000
local MOST_UNITS = 9007199254740991
local DAY_MILLIS = 86400000

local now
if ARGV[1] == '' then
  local time = redis.call('TIME')
  now = time[1] * 1000000 + time[2]
else
  now = tonumber(ARGV[1])
end

local value = redis.pcall('GET', KEYS[1])
if type(value) == 'table' then
  if not string.find(value.err, 'WRONGTYPE') then
    return value
  end
  -- Somebody else's, which says nothing of buckets.
  value = false
end
if value and string.byte(value) ~= EVEN_FORM then
  if redis.call('PTTL', KEYS[1]) == -1 then
    redis.call('PEXPIRE', KEYS[1], DAY_MILLIS)
  end
  return struct.pack('>dB', now, 0) .. value
end

-- Tables cost more than all arithmetic, so that what is worked out lies where the host has left room for it: FROM and UP_TO are
-- where the bucket is in the entry, if it may be kept as it is there; what is missing under a limit follows what that earns.
local BYTES_OF_NAME, LIMITS, FROM, UP_TO, CHANGED, FIRST_LIMIT = 0, 1, 2, 3, 4, 5
local max, unpackNumbers = math.max, struct.unpack
local numbers = {unpackNumbers('>' .. string.rep('d', #ARGV[2] / 8), ARGV[2])}

-- What the entry says of these buckets, as it is by now; all buckets stay as they are until they are written again.
local kept = ''
local keptUntil = now
local hasChanged = false
local hasOthers = false
local place = 2
local size = value and #value or 0
while place <= size do
  local length, written, limits, following
  if size - place >= 10 then
    written, length = unpackNumbers('>dI2', value, place)
    limits = string.byte(value, place + 10 + length)
    following = limits and place + 11 + length + 8 * limits
  end
  if not following or following > size + 1 then
    -- Damaged, which hosts see to.
    return struct.pack('>dB', now, 0) .. value
  end
  if length == 0 then
    kept = kept .. string.sub(value, place)
    break
  end
  local form = string.sub(value, place + 10, place + 9 + length)
  local asked
  local bucket = 1
  for b = 3, #ARGV do
    local bytesOfName = numbers[bucket + BYTES_OF_NAME]
    if ARGV[b] == form and limits == numbers[bucket + LIMITS] then
      asked = bucket
    elseif string.sub(form, 1, bytesOfName) == string.sub(ARGV[b], 1, bytesOfName) then
      -- Of other limits, or not for scripts: that is the host's.
      return struct.pack('>dB', now, 0) .. value
    end
    bucket = bucket + FIRST_LIMIT + 2 * numbers[bucket + LIMITS]
  end
  if asked then
    local elapsed = now - written
    if elapsed < 0 then
      -- A clock that was set back brings the bucket no later than its waits have said: what is missing comes back from now on,
      -- and not only when the old time is reached.
      numbers[asked + CHANGED] = 1
      hasChanged = true
      elapsed = 0
    end
    local longest = 0
    local limit = asked + FIRST_LIMIT
    for m = place + 11 + length, following - 1, 8 do
      local was = unpackNumbers('>d', value, m)
      if not (was >= 0 and was <= MOST_UNITS and written >= 0) then
        -- Damaged, which hosts see to.
        return struct.pack('>dB', now, 0) .. value
      end
      numbers[limit + 1] = max(0, was - elapsed * numbers[limit])
      longest = max(longest, was / numbers[limit])
      limit = limit + 2
    end
    local ends = now - elapsed + longest + KEPT_MICROS
    if ends > now then
      numbers[asked + FROM], numbers[asked + UP_TO] = place, following - 1
      keptUntil = max(keptUntil, ends)
    end
  else
    hasOthers = true
    kept = kept .. string.sub(value, place, following - 1)
  end
  place = following
end

local at = 1
for b = 3, #ARGV do
  at = at + FIRST_LIMIT + 2 * numbers[at + LIMITS]
end
for s = 1, numbers[at] do
  local times = numbers[at + 1]
  local charges = numbers[at + 2]
  local firstCharge = at + 3
  for t = 1, times do
    local allowed = true
    at = firstCharge
    for c = 1, charges do
      local bucket, decides = numbers[at], numbers[at + 1]
      at = at + 2
      for missing = bucket + FIRST_LIMIT + 1, bucket + FIRST_LIMIT + 2 * numbers[bucket + LIMITS], 2 do
        if decides == 1 and numbers[missing] + numbers[at] > numbers[at + 1] then
          allowed = false
        end
        at = at + 2
      end
    end
    if not allowed then
      -- And so are those that ask for the same.
      break
    end
    at = firstCharge
    for c = 1, charges do
      local bucket = numbers[at]
      local first, last = bucket + FIRST_LIMIT + 1, bucket + FIRST_LIMIT + 2 * numbers[bucket + LIMITS]
      local passes = true
      at = at + 2
      for missing = first, last, 2 do
        passes = passes and numbers[missing] + numbers[at] <= numbers[at + 1]
        at = at + 2
      end
      if passes then
        local taken = at - 2 * numbers[bucket + LIMITS]
        for missing = first, last, 2 do
          numbers[missing] = numbers[missing] + numbers[taken]
          taken = taken + 2
        end
        numbers[bucket + CHANGED] = 1
        hasChanged = true
      end
    end
  end
  at = at - 1
end

if not hasChanged then
  return struct.pack('>dB', now, value and redis.call('PTTL', KEYS[1]) == -1 and 2 or 1) .. (value or '')
end

local bucket = 1
for b = 3, #ARGV do
  local limits = numbers[bucket + LIMITS]
  if numbers[bucket + CHANGED] == 1 then
    local written = struct.pack('>dI2c0B', now, #ARGV[b], ARGV[b], limits)
    for missing = bucket + FIRST_LIMIT + 1, bucket + FIRST_LIMIT + 2 * limits, 2 do
      written = written .. struct.pack('>d', numbers[missing])
      keptUntil = max(keptUntil, now + numbers[missing] / numbers[missing - 1] + KEPT_MICROS)
    end
    kept = written .. kept
  elseif numbers[bucket + FROM] > 0 then
    kept = string.sub(value, numbers[bucket + FROM], numbers[bucket + UP_TO]) .. kept
  end
  bucket = bucket + FIRST_LIMIT + 2 * limits
end

local milliseconds = math.ceil((keptUntil - now) / 1000)
if hasOthers then
  local left = redis.call('PTTL', KEYS[1])
  if left == -1 then
    -- How long the others are to be kept, only the host knows.
    return struct.pack('>dB', now, 0) .. value
  end
  milliseconds = max(milliseconds, left)
end
redis.call('SET', KEYS[1], 'E' .. kept, 'PX', milliseconds)
return struct.pack('>dB', now, 1) .. (value or '')
