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

-- Tables cost more than all arithmetic, so that what is known of a limit lies in one, at the limit's place in the numbers.
local numbers = {struct.unpack('>' .. string.rep('d', #ARGV[2] / 8), ARGV[2])}
local buckets = #ARGV - 2
local limitsAt = {}
local missing = {}
local at = 0
for b = 1, buckets do
  at = at + 2
  limitsAt[b] = at
  for l = at + 1, at + numbers[at] do
    missing[l] = 0
  end
  at = at + numbers[at]
end

-- What the entry says of these buckets, as it is by now; all buckets stay as they are until they are written again.
local kept = ''
local keptUntil = now
local from, upTo = {}, {}
local changed = {}
local hasChanged = false
local hasOthers = false
local place = 2
while value and place <= #value do
  local length = #value - place >= 10 and struct.unpack('>I2', value, place + 8)
  local limits = length and string.byte(value, place + 10 + length)
  local following = limits and place + 11 + length + 8 * limits
  if not following or following > #value + 1 then
    -- Damaged, which hosts see to.
    return struct.pack('>dB', now, 0) .. value
  end
  if length == 0 then
    kept = kept .. string.sub(value, place)
    break
  end
  local form = string.sub(value, place + 10, place + 9 + length)
  local asked
  for b = 1, buckets do
    if ARGV[b + 2] == form and limits > 0 then
      asked = b
    elseif string.sub(form, 1, numbers[limitsAt[b] - 1]) == string.sub(ARGV[b + 2], 1, numbers[limitsAt[b] - 1]) then
      -- Of other limits, or not for scripts: that is the host's.
      return struct.pack('>dB', now, 0) .. value
    end
  end
  if asked then
    local written = struct.unpack('>d', value, place)
    local elapsed = math.max(0, now - written)
    local longest = 0
    for l = 1, limits do
      local was = struct.unpack('>d', value, place + 3 + length + 8 * l)
      if not (was >= 0 and was <= MOST_UNITS and written >= 0) then
        -- Damaged, which hosts see to.
        return struct.pack('>dB', now, 0) .. value
      end
      local limit = limitsAt[asked] + l
      -- A clock that was set back brings the bucket no later than its waits have said.
      missing[limit] = math.max(0, was - elapsed * numbers[limit])
      longest = math.max(longest, was / numbers[limit])
    end
    if written > now then
      -- What is missing comes back from now on, and not only when the old time is reached.
      changed[asked] = true
      hasChanged = true
    end
    if math.min(written, now) + longest + KEPT_MICROS > now then
      from[asked], upTo[asked] = place, following - 1
      keptUntil = math.max(keptUntil, math.min(written, now) + longest + KEPT_MICROS)
    end
  else
    hasOthers = true
    kept = kept .. string.sub(value, place, following - 1)
  end
  place = following
end

at = at + 1
for s = 1, numbers[at] do
  local times = numbers[at + 1]
  local charges = numbers[at + 2]
  local first = at + 3
  for t = 1, times do
    local allowed = true
    at = first
    for c = 1, charges do
      local limits = limitsAt[numbers[at]]
      for l = 1, numbers[limits] do
        if numbers[at + 1] == 1 and missing[limits + l] + numbers[at + 2 * l] > numbers[at + 2 * l + 1] then
          allowed = false
        end
      end
      at = at + 2 + 2 * numbers[limits]
    end
    if not allowed then
      -- And so are those that ask for the same.
      break
    end
    at = first
    for c = 1, charges do
      local limits = limitsAt[numbers[at]]
      local passes = true
      for l = 1, numbers[limits] do
        passes = passes and missing[limits + l] + numbers[at + 2 * l] <= numbers[at + 2 * l + 1]
      end
      if passes then
        for l = 1, numbers[limits] do
          missing[limits + l] = missing[limits + l] + numbers[at + 2 * l]
        end
        changed[numbers[at]] = true
        hasChanged = true
      end
      at = at + 2 + 2 * numbers[limits]
    end
  end
  at = at - 1
end

if not hasChanged then
  return struct.pack('>dB', now, value and redis.call('PTTL', KEYS[1]) == -1 and 2 or 1) .. (value or '')
end

for b = 1, buckets do
  if changed[b] then
    local limits = limitsAt[b]
    local count = numbers[limits]
    local form = ARGV[b + 2]
    kept = struct.pack('>dI2c0B' .. string.rep('d', count), now, #form, form, count,
      unpack(missing, limits + 1, limits + count)) .. kept
    for l = limits + 1, limits + count do
      keptUntil = math.max(keptUntil, now + missing[l] / numbers[l] + KEPT_MICROS)
    end
  elseif from[b] then
    kept = string.sub(value, from[b], upTo[b]) .. kept
  end
end

local milliseconds = math.ceil((keptUntil - now) / 1000)
if hasOthers then
  local left = redis.call('PTTL', KEYS[1])
  if left == -1 then
    -- How long the others are to be kept, only the host knows.
    return struct.pack('>dB', now, 0) .. value
  end
  milliseconds = math.max(milliseconds, left)
end
redis.call('SET', KEYS[1], 'E' .. kept, 'PX', string.format('%.0f', milliseconds))
return struct.pack('>dB', now, 1) .. (value or '')
