-- Work for Lua of two kinds, the same each time: arg[1] is how much of numbers and tables of them,
-- arg[2] how much of text. A canary and its fleet have these in other proportions.
local numbers = tonumber(arg and arg[1]) or 1
local text = tonumber(arg and arg[2]) or 1

-- --- numbers ------------------------------------------------------------------------------------

local function spectral(n)
  local u, v = {}, {}
  for i = 1, n do u[i] = 1 end
  for _ = 1, 2 do
    for i = 1, n do
      local sum = 0
      for j = 1, n do sum = sum + u[j] / ((i + j - 1) * (i + j - 2) // 2 + i) end
      v[i] = sum
    end
    u, v = v, u
  end
  return string.format("%.6f", u[1])
end

local function queens(n)
  local columns, rising, falling, found = {}, {}, {}, 0
  local function place(row)
    if row > n then found = found + 1 return end
    for column = 1, n do
      if not (columns[column] or rising[row + column] or falling[row - column + n]) then
        columns[column], rising[row + column], falling[row - column + n] = true, true, true
        place(row + 1)
        columns[column], rising[row + column], falling[row - column + n] = nil, nil, nil
      end
    end
  end
  place(1)
  return found
end

local function heap(n)
  local items, number = {}, 42
  for i = 1, n do
    number = (number * 1103515245 + 12345) % 2147483648
    local at = i
    while at > 1 and items[at // 2] > number do
      items[at], at = items[at // 2], at // 2
    end
    items[at] = number
  end
  return items[1]
end

-- --- text ---------------------------------------------------------------------------------------

local function counted_words(n)
  local seen, order = {}, {}
  local line = ("the quick brown fox %d jumps over the lazy dog, %d times; "):rep(8)
  for i = 1, n do
    for word in line:format(i, i, i, i, i, i, i, i, i, i, i, i, i, i, i, i):gmatch("%a+") do
      if not seen[word] then order[#order + 1] = word end
      seen[word] = (seen[word] or 0) + 1
    end
  end
  table.sort(order)
  return table.concat(order, ","), seen.fox
end

local function replaced(n)
  local page, size = ("<p class='x'>a & b, \"c\" < %d</p>\n"):rep(20), 0
  local names = { ["&"] = "&amp;", ["<"] = "&lt;", [">"] = "&gt;", ['"'] = "&quot;" }
  for _ = 1, n do
    size = size + #page:gsub("[&<>\"]", names):upper():reverse()
    size = size + (page:find("c\" <", 1, true) or 0)
  end
  return size
end

local function packed(n)
  local parts = {}
  for i = 1, n do
    parts[#parts + 1] = string.pack("<i4z", i, "name" .. i % 7)
    if #parts == 100 then parts = { table.concat(parts) } end
  end
  local all, at, sum, number = table.concat(parts), 1, 0, nil
  while at <= #all do
    number, _, at = string.unpack("<i4z", all, at)
    sum = sum + number
  end
  return sum
end

local function loaded(n)
  local sum = 0
  for i = 1, n do
    local source = ("local a, b = %d, 'x%d' return (a + #b) * 2 -- a comment"):format(i, i)
    sum = sum + load(source)()
  end
  return sum
end

for _ = 1, numbers do
  print("spectral", spectral(60))
  print("queens", queens(6))
  print("heap", heap(2000))
end
for _ = 1, text do
  print("counted words", counted_words(20))
  print("replaced", replaced(10))
  print("packed", packed(1000))
  print("loaded", loaded(100))
end
