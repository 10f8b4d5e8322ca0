-- Work for Lua, the same each time: no addresses, no clock, no random seed of the machine's. It goes
-- through the interpreter, strings, tables, closures, coroutines, metatables, errors and the
-- collector. arg[1] is how much of it.
local size = tonumber(arg and arg[1]) or 1

local function fibonacci(n)
  if n < 2 then return n end
  return fibonacci(n - 1) + fibonacci(n - 2)
end

local function sieve(limit)
  local composite, count = {}, 0
  for i = 2, limit do
    if not composite[i] then
      count = count + 1
      for j = i * i, limit, i do composite[j] = true end
    end
  end
  return count
end

local function words(n)
  local seen, order = {}, {}
  for i = 1, n do
    local word = string.format("w%x", (i * 7919) % 1013)
    if not seen[word] then order[#order + 1] = word end
    seen[word] = (seen[word] or 0) + 1
  end
  table.sort(order, function(a, b)
    if seen[a] ~= seen[b] then return seen[a] > seen[b] end
    return a < b
  end)
  return table.concat(order, " ", 1, 5)
end

local Vector = {}
Vector.__index = Vector
Vector.__add = function(a, b) return setmetatable({ x = a.x + b.x, y = a.y + b.y }, Vector) end
Vector.__eq = function(a, b) return a.x == b.x and a.y == b.y end

local function vectors(n)
  local sum = setmetatable({ x = 0, y = 0 }, Vector)
  for i = 1, n do sum = sum + setmetatable({ x = i, y = i * 0.5 }, Vector) end
  return sum.x, sum.y
end

local function generated(n)
  local squares = coroutine.wrap(function()
    for i = 1, n do coroutine.yield(i * i) end
  end)
  local sum = 0
  for _ = 1, n do sum = sum + squares() end
  return sum
end

local function patterns(n)
  local text = string.rep("key=value; other = 42; ", n)
  local count, total = 0, 0
  for name, value in text:gmatch("(%w+)%s*=%s*(%w+)") do
    count = count + #name
    total = total + (tonumber(value) or 0)
  end
  return count, total, #text:gsub("%s+", " "):upper()
end

local function errors(n)
  local caught = 0
  for i = 1, n do
    local good, what = pcall(function()
      if i % 3 == 0 then error({ code = i }) end
      return i
    end)
    if not good then caught = caught + what.code end
  end
  return caught
end

print("fibonacci", fibonacci(14 + size))
print("sieve", sieve(5000 * size))
print("words", words(3000 * size))
print("vectors", vectors(4000 * size))
print("generated", generated(1000 * size))
print("patterns", patterns(100 * size))
print("errors", errors(500 * size))
collectgarbage()
