-- Takes the steps of a call on a client's entry, if all its buckets refill evenly and count by limits that the host knows.
-- Numbers are exact up to 2^53. An entry in this form: 'E', then for each bucket the time at which it was written in
-- microseconds (a double), the form that tells its name and limits (its length in two bytes before it), the number of its
-- limits (one byte), and what was missing under each then in units (doubles); all with the most significant byte first.
--
-- KEYS[1]   the entry
-- ARGV[1]   the time in microseconds; empty for the time of this server
-- ARGV[2]   the number of buckets, n
-- ARGV[3]   to ARGV[n + 2]: their forms
-- ARGV[n+3] and all that follow: numbers, as io.ratelimit.core.entry.EvenCall has them
--
-- Answers the time, the entry as it was, and 1 if the steps were taken, 0 if the host must take them; 2 or 3 for the same
-- of an entry that is still there and has no expiry, which somebody else must have removed.

local EVEN_FORM = 69
local KEPT_MICROS = 2000000

local now
if ARGV[1] == '' then
  local time = redis.call('TIME')
  now = time[1] * 1000000 + time[2]
else
  now = tonumber(ARGV[1])
end

local value = redis.call('GET', KEYS[1])
if value and string.byte(value) ~= EVEN_FORM then
  return {now, value, redis.call('PTTL', KEYS[1]) == -1 and 3 or 0}
end

local count = tonumber(ARGV[2])
local at = count + 2
local function number()
  at = at + 1
  return tonumber(ARGV[at])
end

local buckets = {}
for b = 1, count do
  local form = ARGV[b + 2]
  local bucket = {form = form, name = string.sub(form, 1, number()), rates = {}, missing = {}}
  for l = 1, number() do
    bucket.rates[l] = number()
    bucket.missing[l] = 0
  end
  buckets[b] = bucket
end

-- What the entry says of these buckets, as it is by now; the others stay as they are. False if a bucket is of other limits.
local others = {}
local function read()
  local place = 2
  while place <= #value do
    local from = place
    local written, form, limits, asked, missing
    written, form, limits, place = struct.unpack('>dI2c0B', value, place)
    for b = 1, count do
      local bucket = buckets[b]
      if bucket.form == form then
        asked = bucket
      elseif string.sub(form, 1, #bucket.name) == bucket.name then
        return false
      end
    end
    local longest = 0
    for l = 1, limits do
      missing, place = struct.unpack('>d', value, place)
      if asked then
        -- A clock that was set back brings the bucket no later than its waits have said.
        asked.missing[l] = math.max(0, missing - math.max(0, now - written) * asked.rates[l])
        longest = math.max(longest, missing / asked.rates[l])
      end
    end
    local raw = string.sub(value, from, place - 1)
    if asked then
      asked.raw = raw
      asked.keptUntil = math.min(written, now) + longest + KEPT_MICROS
    else
      others[#others + 1] = raw
    end
  end
  return true
end

if value then
  local intact, known = pcall(read)
  if not (intact and known) then
    -- Damaged, or to be converted, which only hosts can.
    return {now, value, 0}
  end
end

local changed = false
for s = 1, number() do
  local allowed = true
  local charges = {}
  for c = 1, number() do
    local charge = {bucket = buckets[number()], decides = number() == 1, passes = true, units = {}}
    for l = 1, #charge.bucket.rates do
      charge.units[l] = number()
      if charge.bucket.missing[l] + charge.units[l] > number() then
        charge.passes = false
      end
    end
    allowed = allowed and (charge.passes or not charge.decides)
    charges[c] = charge
  end
  for c = 1, allowed and #charges or 0 do
    local charge = charges[c]
    if charge.passes then
      for l = 1, #charge.units do
        charge.bucket.missing[l] = charge.bucket.missing[l] + charge.units[l]
      end
      charge.bucket.changed = true
      changed = true
    end
  end
end

if not changed then
  return {now, value, value and redis.call('PTTL', KEYS[1]) == -1 and 2 or 1}
end

local pieces = {'E'}
local keptUntil = now
for b = 1, count do
  local bucket = buckets[b]
  if bucket.changed then
    pieces[#pieces + 1] = struct.pack('>dI2c0B', now, #bucket.form, bucket.form, #bucket.rates)
    bucket.keptUntil = now
    for l = 1, #bucket.rates do
      pieces[#pieces + 1] = struct.pack('>d', bucket.missing[l])
      bucket.keptUntil = math.max(bucket.keptUntil, now + bucket.missing[l] / bucket.rates[l] + KEPT_MICROS)
    end
  elseif bucket.raw and bucket.keptUntil > now then
    pieces[#pieces + 1] = bucket.raw
  end
  keptUntil = math.max(keptUntil, bucket.keptUntil or 0)
end

local milliseconds = math.ceil((keptUntil - now) / 1000)
if #others > 0 then
  local left = redis.call('PTTL', KEYS[1])
  if left == -1 then
    -- How long the others are to be kept, only the host knows.
    return {now, value, 0}
  end
  milliseconds = math.max(milliseconds, left)
end
redis.call('SET', KEYS[1], table.concat(pieces) .. table.concat(others), 'PX', string.format('%.0f', milliseconds))
return {now, value, 1}
