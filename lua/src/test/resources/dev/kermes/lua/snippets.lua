local x = nil; x.y = 1
---
local x = nil; print(x.y)
---
x.y = 1
---
local t = {}; t.a.b = 1
---
local t = {}; t.a.b.c = 1
---
local t = {}; print(t[1][2])
---
local t = {}; local k = 'z'; print(t[k].x)
---
local t = {} ; t:foo()
---
foo()
---
foo.bar()
---
local f; f()
---
local a = {b = {}}; a.b.c()
---
local a = {b = {}}; a.b:c()
---
local u; local function f() return u.x end; f()
---
local u; local function f() u() end; f()
---
local u; local function f() u.x = 1 end; f()
---
return 1 + nil
---
return nil + 1
---
local a = {}; return a + 1
---
local a = {}; return 1 + a
---
local a, b = 'x', 'y'; return a + b
---
return 'a' + 1
---
return {} .. 'x'
---
return 'x' .. {}
---
local t = {}; return 'x' .. t.y
---
local t = {}; return t.y .. 'x'
---
local a = nil; return a .. 'x'
---
return 'a' .. 1 .. nil .. 2
---
local n; return 1 .. n .. 2
---
return 1 < 'x'
---
return {} < {}
---
return nil < 1
---
return 1 <= nil
---
return 'a' > 1
---
return {} >= 1
---
return true < false
---
return print < print
---
return #nil
---
local a; return #a
---
return #5
---
local t = {}; return #t.x
---
return -{}
---
local t = {}; return -t
---
local t = {}; return -t.x
---
for i = 'a', 2 do end
---
for i = 1, 'x' do end
---
for i = 1, 2, {} do end
---
for i = '1', '3' do print(i) end
---
for i in 5 do end
---
for i in nil do end
---
local t = {} for i in t do end
---
for k, v in pairs(nil) do end
---
for k, v in ipairs() do end
---
local t = {}; t[nil] = 1
---
local t = {}; t[0/0] = 1
---
return {}[nil]
---
local t = {[nil] = 1}
---
rawset({}, nil, 1)
---
error()
---
error(nil)
---
error('x')
---
error('x', 0)
---
error('x', 1)
---
error('x', 2)
---
local function f() error('x', 3) end
local function g() f() end
g()
---
error({})
---
error(42)
---
error('12')
---
error(true)
---
local function f() error('in f', 2) end
f()
---
local function f() error('in f', 2) end
local function g()
  f()
end
g()
---
local function f() error('tail', 2) end
local function g() return f() end
g()
---
local function f() error('tail', 3) end
local function g() return f() end
g()
---
assert(false)
---
assert(nil, 'message')
---
assert(false, {})
---
assert()
---
print(assert(1, 2, 3))
---
assert(false, 12)
---
print(pcall())
---
print(pcall(nil))
---
print(pcall(1, 2))
---
print(pcall(error))
---
print(pcall(error, 'x'))
---
print(pcall(error, 'x', 2))
---
print(type(select(2, pcall(error, {1}))))
---
print(pcall(pcall))
---
print(pcall(pcall, error, 'e'))
---
print(pcall(pcall, pcall, error, 'e'))
---
print(xpcall())
---
print(xpcall(print))
---
print(xpcall(error, print))
---
print(xpcall(function() error('a') end, function(m) return m .. '!' end))
---
print(xpcall(function() return 1, 2, 3 end, print))
---
print(xpcall(function() local x = nil + 1 end, function(m) return (m:gsub('attempt', 'ATTEMPT')) end))
---
print(xpcall(function() error('a') end, function(m) error('b') end))
---
print(xpcall(function() error('a') end, nil))
---
print(xpcall(function() error('a') end, 5))
---
print(xpcall(function() error({code = 5}) end, function(e) return e.code end))
---
local n = 0
print(xpcall(function() error('a') end, function(m) n = n + 1 if n < 3 then error('again') end return 'done ' .. n end))
---
print(select('#'))
---
print(select('#', nil, nil))
---
print(select(-1, 1, 2, 3))
---
print(select(2, 'a', 'b', 'c'))
---
print(select(0, 1))
---
print(select(-5, 1))
---
print(select(10, 1))
---
print(select('x', 1))
---
print(select())
---
print(tonumber('10'), tonumber(' 10 '), tonumber('0x10'), tonumber('1e2'), tonumber('.5'), tonumber('5.'))
---
print(tonumber(''), tonumber(' '), tonumber('x'), tonumber('1x'), tonumber('0x'), tonumber('1e'), tonumber('1 2'))
---
print(tonumber('inf'), tonumber('nan') ~= nil, tonumber('-inf'), tonumber('infinity'), tonumber('INF'))
---
print(tonumber('0x1p4'), tonumber('0x.8'), tonumber('0xA.8p1'), tonumber('-0x10'))
---
print(tonumber('ff', 16), tonumber('FF', 16), tonumber('zz', 36), tonumber('777', 8), tonumber('12', 2))
---
print(tonumber('-ff', 16), tonumber('0xff', 16), tonumber(' 11 ', 2), tonumber('99999999999999999999', 11))
---
print(tonumber('10', 1))
---
print(tonumber('10', 37))
---
print(tonumber({}), tonumber(nil), tonumber(true))
---
print(tonumber())
---
print(tonumber('1\0'), tonumber('1\0002'), tonumber('\0'))
---
print(tonumber('1e1000'), tonumber('1e-1000'), tonumber('123456789012345678901234567890'))
---
print(tostring(nil), tostring(true), tostring(1), tostring('x'), tostring(-0))
---
print(tostring())
---
print(tostring(setmetatable({}, {__tostring = function() return 'custom' end})))
---
print(tostring(setmetatable({}, {__tostring = function() return 5 end})))
---
print(setmetatable({}, {__tostring = function() return {} end}))
---
print(type(), 1)
---
print(type(nil), type(1), type('x'), type({}), type(print), type(true), type(coroutine.create(function() end)))
---
print(unpack({1, 2, 3}))
---
print(unpack({1, 2, 3}, 2))
---
print(unpack({1, 2, 3}, 2, 5))
---
print(unpack({}, 1, 3))
---
print(unpack())
---
print(unpack({}, 1, 1e6))
---
print(select('#', unpack({}, 1, 7990)))
---
print(next({}), next({10}), next({a = 1}))
---
print(next({}, 'nokey'))
---
print(next())
---
print(rawequal(1, 1), rawequal('a', 'a'), rawequal({}, {}))
---
print(rawequal(1))
---
print(rawget({5}, 1), rawget({}, 'x'))
---
print(rawget(5, 1))
---
print(setmetatable({}))
---
print(setmetatable(1, {}))
---
print(setmetatable({}, 1))
---
print(getmetatable('x').__index == string, getmetatable(1), getmetatable({}))
---
print(getmetatable(setmetatable({}, {__metatable = 'locked'})))
---
setmetatable(setmetatable({}, {__metatable = 'locked'}), {})
---
print(loadstring('return 1 + 1')())
---
print(loadstring('syntax error here'))
---
print(loadstring('x =', '=name'))
---
print(loadstring('x =', '@name.lua'))
---
print(loadstring('x =\n\n', 'a chunk name that fits'))
---
print(loadstring('x = = 1', 'first line\nsecond line'))
---
local parts = {'return ', '1', '+2'}; local i = 0
print(load(function() i = i + 1 return parts[i] end)())
---
local n = 0 print(load(function() n = n + 1 if n == 1 then return 'return ' elseif n == 2 then return 5, 6 end end, '=x')())
---
print(pcall(load, function() error('reader') end))
---
print(load(function() return {} end))
---
print(load('x'))
---
print(pcall(string.rep))
---
print(string.rep('ab', 3), string.rep('x', 0), string.rep('x', -1), ('x'):rep(2.9))
---
print(string.sub('hello', 2), string.sub('hello', 2, 3), string.sub('hello', -3), string.sub('hello', -3, -2), string.sub('hello', 0), string.sub('hello', 10), string.sub('hello', 3, 2))
---
print(('x'):sub())
---
print(('hello'):byte(), ('hello'):byte(2), ('hello'):byte(-1), ('hello'):byte(1, -1), ('hello'):byte(10))
---
print(string.char(72, 101), string.char(), pcall(string.char, 256), pcall(string.char, -1))
---
print(string.len('abc'), ('\0\0'):len(), #'')
---
print(string.upper('aBc1'), string.lower('AbC1'), string.reverse('abc'))
---
print(string.len())
---
print(string.len({}))
---
print(('x'):len(1), string.len(12))
---
print(('x').foo)
---
print(('x').foo.bar)
---
print(#('x'):rep(1000))
---
print(string.find('hello', 'l'), string.find('hello', 'xyz'), string.find('hello', ''), string.find('hello', '', 10), string.find('hello', 'l', -2))
---
print(string.find('a.b', '.', 1, true), string.find('a.b', '%.'), string.find('a+b', '+', 1, true))
---
print(string.find('hello', '(l)(l)'), string.find('hello', '()ll()'))
---
print(string.match('hello world', '%w+'), string.match('key=val', '(%w+)=(%w+)'), string.match('x', 'y'))
---
print(string.match('  trim  ', '^%s*(.-)%s*$') .. '|')
---
print(string.match('2024-01-02', '(%d+)-(%d+)-(%d+)'))
---
print(string.match('[[x]]', '%[%[(.-)%]%]'), string.match('f(a(b)c)d', '%b()'))
---
print(string.match('THE (quick) fox', '%((%a+)%)'), string.find('THE (quick) fox', '%((%a+)%)'))
---
print(string.match('hello', '.-(l+)'), string.match('aaa', 'a-'), string.match('aaab', 'a-b'))
---
print(string.match('abc', '[a-b]+'), string.match('abc', '[^a-b]+'), string.match('a]c', '[]]'), string.match('a^c', '[%^]'), string.match('a-c', '[a%-]+'))
---
print(string.match('abc123', '%a+%d+'), #string.match('x\0y', '%z'), string.match('ABC', '%u+'), string.match('  x', '%s+'), string.match('!?', '%p+'), string.match('\1\2', '%c+') == '\1\2', string.match('fF0g', '%x+'))
---
print(string.gsub('THE (quick) fox', '%f[%a]%a+', 'X'))
---
print(string.find('abc', '%f[b]'))
---
print(pcall(string.find, 'a', '%'))
---
print(pcall(string.find, 'a', '[a'))
---
print(pcall(string.find, 'a', '[a%'))
---
print(pcall(string.find, 'a', '(a'))
---
print(pcall(string.find, 'a', 'a)'))
---
print(pcall(string.find, 'a', '%1'))
---
print(pcall(string.find, 'a', '%b'))
---
print(pcall(string.find, 'a', '%f'))
---
print(string.match('abcabc', '(abc)%1'), string.match('abab', '(a)(b)%1%2'))
---
print(pcall(string.match, 'a', '(a%1)'))
---
print(pcall(string.rep, 'x', {}))
---
print(pcall(string.match, 'a', ('(a'):rep(40)))
---
print(string.gsub('hello', 'l', 'L'), string.gsub('hello', 'l', 'L', 1), string.gsub('hello', '', '-'))
---
print(string.gsub('hello', '(l)(l)', '%2%1%0'), string.gsub('abc', '%w', '%%'), string.gsub('abc', '%w', '%0%0'))
---
print(pcall(string.gsub, 'abc', '%w', '%2'))
---
print((string.gsub('abc', 'b', '%')):byte(1, -1))
---
print(string.gsub('abc', '%w', {a = '1', b = true}))
---
print(pcall(string.gsub, 'abc', '%w', {a = '1', b = true}))
---
print(string.gsub('abc', '%w', {a = '1', c = 3}))
---
print(string.gsub('abc', '%w', function(c) if c == 'b' then return 'X' end end))
---
print(pcall(string.gsub, 'abc', '%w', function(c) return {} end))
---
print((string.gsub('abc', '%w', function(c) return {} end)))
---
print(string.gsub('abc def', '(%w+) (%w+)', function(a, b) return b .. a end))
---
print(string.gsub('abc', '(a)', setmetatable({}, {__index = function(t, k) return k:upper() end})))
---
print(pcall(string.gsub, 'abc', 'a', nil))
---
print(pcall(string.gsub, 'abc'))
---
print(string.gsub('abc', '^a', 'x'), string.gsub('aaa', '^a', 'x'), string.gsub('abc', 'c$', 'x'))
---
print(string.gsub('hello world', 'o', 'x', 0), string.gsub('abc', '.', '', 2))
---
for w in string.gmatch('one two three', '%a+') do print(w) end
---
for k, v in string.gmatch('a=1, b=2', '(%w+)=(%w+)') do print(k, v) end
---
for w in string.gfind('ab', '') do print('[' .. w .. ']') end
---
for p in string.gmatch('abc', '()') do print(p) end
---
for w in string.gmatch('^a^a', '^a') do print(w) end
---
print(pcall(string.gmatch))
---
print(string.format('%d %i %u', 42, -42, 42), string.format('%5d|%-5d|%05d|%+d|% d', 42, 42, 42, 42, 42))
---
print(string.format('%x %X %#x %o %#o', 255, 255, 255, 8, 8))
---
print(string.format('%x %u %o', -1, -1, -1), string.format('%d', 3.99), string.format('%d', -3.99))
---
print(string.format('%e %E %.3e', 12345.678, 12345.678, 0))
---
print(string.format('%f %.2f %.0f %5.1f %#.0f', 3.14159, 2.675, 0.5, 9.96, 3))
---
print(string.format('%g %g %g %g %G %#g', 1e20, 0.0001, 0.00001, 100000, 1e-10, 1))
---
print(string.format('%.14g %.17g %.20g %.3g', 0.1, 0.1, 0.1, 1234567))
---
print(string.format('%.16g %.15g %.10g', 1/3, 2/3, 1e15/3))
---
print(string.format('%s %s %s', 'a', 1, 1.5), string.format('%10s|%-10s|%.2s', 'abc', 'abc', 'abc'))
---
print(string.format('%q', 'a "quoted" \\ string\nwith\rnewline\0zero'))
---
print(string.format('%c%c%c', 76, 117, 97), string.format('%5c|', 65))
---
print(string.format('%%'), string.format('100%%'))
---
print(pcall(string.format, '%y', 1))
---
print(pcall(string.format, '%', 1))
---
print(pcall(string.format, '%d'))
---
print(pcall(string.format, '%d', 'x'))
---
print(pcall(string.format, '%s'))
---
print(pcall(string.format, '%s', {}))
---
print(pcall(string.format, '%s', nil))
---
print(pcall(string.format, '%123d', 1))
---
print(pcall(string.format, '%.123d', 1))
---
print(pcall(string.format, '%-+ #0-d', 1))
---
print(string.format('%d', '10'), string.format('%s', 10), string.format('%5s', true and 'x'))
---
print(string.format('%f %g %e', 1/0, -1/0, 1/0), string.format('%5.1f|%05d|%-8.3f|', -0.05, -7, 2.5))
---
print(string.format('%.3d|%8.3d|%-8.3d|%+.3d', 5, 5, 5, 5), string.format('%.0d', 0), string.format('%#x', 0))
---
print(string.format('%s', ('x'):rep(200)), #string.format('%s', 'a\0b'), #string.format('%s', ('a\0'):rep(60)))
---
print(string.format('%.99f', 1/3))
---
print(string.format('%99.50f', 1e15))
---
print(string.format('%.0f %.0f %.0f %.0f', 0.5, 1.5, 2.5, 1e300))
---
print(string.format())
---
print(pcall(string.dump, print))
---
print(table.concat({1, 2, 3}), table.concat({1, 2, 3}, ','), table.concat({1, 2, 3}, ',', 2), table.concat({1, 2, 3}, ',', 2, 2), table.concat({}, 'x'))
---
print(pcall(table.concat, {1, {}, 3}))
---
print(pcall(table.concat, {1, nil, 3}, ',', 1, 3))
---
print(pcall(table.concat, 5))
---
print(table.concat({1.5, 'x', 1e100}, ' '))
---
local t = {1, 2}; table.insert(t, 3); table.insert(t, 1, 0); print(table.concat(t, ','))
---
print(pcall(table.insert, {}, 1, 2, 3))
---
print(pcall(table.insert, {}))
---
print(pcall(table.insert, nil, 1))
---
local t = {1, 2, 3}; table.insert(t, 6, 'x'); print(t[6], #t)
---
local t = {1, 2, 3}; print(table.remove(t), table.remove(t, 1), table.concat(t, ','), table.remove({}), table.remove(t, 10))
---
local t = {1, 2, 3}; print(table.getn(t), table.maxn({1, 2, [10] = 1}), pcall(table.setn, t, 1))
---
table.foreach({a = 1, b = 2, 3}, print)
---
print(table.foreach({1, 2, 3}, function(k, v) if v == 2 then return 'found' end end))
---
table.foreachi({1, 2, 3}, print)
---
print(table.foreachi({1, 2, 3}, function(i, v) if v > 1 then return i end end))
---
print(pcall(table.foreach, {1}, nil))
---
local t = {5, 3, 8, 1}; table.sort(t); print(unpack(t))
---
local t = {'b', 'a', 'c'}; table.sort(t, function(a, b) return a > b end); print(unpack(t))
---
print(pcall(table.sort, {1, 'x', 2}))
---
print(pcall(table.sort, {{}, {}}))
---
print(pcall(table.sort, {3, 1, 2, 5, 4}, function(a, b) return true end))
---
table.sort({3, 1, 2, 5, 4, 7, 8, 9, 10, 11}, function(a, b) return true end)
---
print(pcall(table.sort, {1, 2}, 5))
---
local t = {} for i = 1, 50 do t[i] = {k = i % 7, v = i} end
table.sort(t, function(a, b) return a.k < b.k end)
for i = 1, 50 do t[i] = t[i].k .. ':' .. t[i].v end print(table.concat(t, ' '))
---
local t = {3, 0/0, 1, -0, 0, 2} ; print(pcall(table.sort, t))
---
table.sort({1, 2, 3}, function(a, b) error('cmp') end)
---
print(math.floor(3.7), math.ceil(3.2), math.floor(-3.7), math.abs(-5), math.max(1, 5, 3), math.min(4, 2))
---
print(math.sqrt(16), math.pi, math.huge, -math.huge, math.fmod(7, 3), math.mod(-7, 3), math.modf(3.7), math.modf(-3.7), math.modf(1/0))
---
print(7 % 3, -7 % 3, 7 % -3, -7 % -3, 5.5 % 2, 1 % 0, 1e308 % 2)
---
print(2 ^ 10, 2 ^ 0.5, (-8) ^ (1 / 3) ~= nil, 2 ^ -1, 0 ^ 0)
---
print(math.frexp(8), math.frexp(0), math.frexp(-3.5), math.ldexp(0.5, 4), math.frexp(5e-324), math.ldexp(1, -1074))
---
print(math.log(10), math.log10(1000), math.exp(1), math.sin(1), math.cos(1), math.tan(1), math.deg(math.pi), math.rad(180))
---
print(math.asin(1), math.acos(1), math.atan(1), math.atan2(1, 2), math.sinh(1), math.cosh(1), math.tanh(1), math.pow(2, 8))
---
print(pcall(math.floor))
---
print(pcall(math.floor, 'x'), math.floor('3.7'))
---
print(pcall(math.max))
---
print(pcall(math.random, 0), pcall(math.random, 2, 1), pcall(math.random, 1, 2, 3))
---
print(1/0, -1/0, 0/0 ~= 0/0, 1e15, 1e14, 123456789012345, 1e100, 0.1, 1/3, 100, -1.5, 1e-5, 12345.678901234567)
---
print(0x10, 0xff, 1e3, .5, 3., 0xA, 1E-2, 9007199254740993)
---
print(10 == '10', 'a' == 'a', nil == false, 1 == 1.0, 'abc' < 'abd', 'Z' < 'a', '' < 'a', 'a\0b' < 'a\0c', 'a' < 'a\0')
---
print('10' + 5, '0x10' * 2, 10 .. 20, '3' * '4', -'2', '10' / '2', ' 5 ' + 1)
---
print(not nil, not 0, not '', nil and 1, false or 2, 1 and 2, nil or false, false and nil)
---
print(1 and nil or 3, (1 or error('x')), 1 == 1 and 'yes' or 'no')
---
local a, b, c = (function() return 1, 2, 3 end)(); print(a, b, c)
---
local a, b, c = ((function() return 1, 2, 3 end)()); print(a, b, c)
---
local t = {(function() return 1, 2, 3 end)(), (function() return 1, 2, 3 end)()}; print(#t, unpack(t))
---
local function f(...) return ... end; print(f(), f(1), (f(1, 2)), f(nil, nil))
---
local function f(...) local a, b = ... return a, b, select('#', ...) end; print(f(1)); print(f(1, 2, 3))
---
local function f(...) return arg end; print(f(1) == nil)
---
local function f(...) return arg.n, arg[1], arg[2] end; print(f('a', 'b'))
---
function f(...) local t = arg return #t, t.n end print(f(1, nil, 3))
---
local t = {n = 0, ...}; print(#t)
---
print(#{1, 2, nil, 4}, #{nil}, #{nil, 2}, #{n = 1}, #{1, 2, 3, nil}, #{1, nil, 3})
---
local t = {}; t[1] = 1; t[2] = 2; t[4] = 4; print(#t)
---
local t = {1, 2, 3, 4, 5}; t[5] = nil; t[4] = nil; print(#t)
---
local t = {10, 20, 30, x = 1, y = 2, [100] = 3}; for k, v in pairs(t) do print(k, v) end
---
local t = {} for i = 1, 30 do t['k' .. i] = i end local s = {} for k, v in pairs(t) do s[#s + 1] = k end print(table.concat(s, ' '))
---
local t = {} for i = 1, 30 do t[i * 1.5] = i end local s = {} for k, v in pairs(t) do s[#s + 1] = k end print(table.concat(s, ' '))
---
local t = {} for i = 30, 1, -1 do t[i] = i end local s = {} for k, v in pairs(t) do s[#s + 1] = k end print(table.concat(s, ' '))
---
local t = {} for i = 1, 20 do t[i * i] = i t['s' .. i % 5] = i end for i = 1, 20, 3 do t[i * i] = nil end local s = {} for k, v in pairs(t) do s[#s + 1] = tostring(k) .. '=' .. v end print(table.concat(s, ' '))
---
local t = {[true] = 1, [false] = 2, a = 3} local s = {} for k, v in pairs(t) do s[#s + 1] = tostring(k) end print(table.concat(s, ' '))
---
local t = {a = 1, b = 2, c = 3}; for k in pairs(t) do t[k] = nil end; print(next(t))
---
local t = {1, 2, 3}; for i, v in ipairs(t) do if i == 1 then t[4] = 4 end print(i, v) end
---
for i = 3, 1 do print(i) end for i = 1, 3, -1 do print(i) end print('none')
---
for i = 1, 2, 0.5 do print(i) end
---
for i = 3, 1, -1 do io = i end print(io)
---
for i = 1, 3 do local i = i * 2 print(i) end
---
local i = 10; for i = 1, 2 do end print(i)
---
local n = 0; while true do n = n + 1 if n > 5 then break end end print(n)
---
local n = 0; repeat local m = n n = n + 1 until m >= 3 print(n)
---
repeat local x = 1 do break end until x == 1 print('out')
---
local t = {} for i = 1, 3 do t[i] = function() i = i + 1 return i end end print(t[1](), t[1](), t[2](), t[3]())
---
local fs = {} local n = 0 while n < 3 do local m = n fs[n] = function() m = m + 10 return m end n = n + 1 end print(fs[0](), fs[0](), fs[1](), fs[2]())
---
local function counter() local n = 0 return function() n = n + 1 return n end, function() return n end end local a, b = counter() a() a() print(b())
---
local a = 1 local function f() a = a + 1 return a end print(a + f(), a)
---
local a = 1 local function f() a = 10 return 1 end print(a + f(), f() + a)
---
local t = {1} local function f() t = {5} return 1 end print(t[f()])
---
local i, t = 1, {} i, t[i] = i + 1, 20 print(i, t[1], t[2])
---
local a, b = 1, 2 a, b = b, a print(a, b)
---
local a = {} local b = a a.x, a = 1, nil print(b.x, a)
---
local function f(n) if n == 0 then return 'done' end return f(n - 1) end print(f(100000))
---
local function f(n) return 1 + f(n + 1) end print(pcall(f, 1))
---
local function f() f() end f()
---
local t = setmetatable({}, {__index = function(t, k) return t[k + 1] end}) print(pcall(function() return t[1] end))
---
local a = {} for i = 1, 150 do a = setmetatable({}, {__index = a}) end print(pcall(function() return a.x end))
---
local a = {} for i = 1, 50 do a = setmetatable({}, {__index = a}) end print(a.x)
---
local a = {} for i = 1, 150 do a = setmetatable({}, {__newindex = a}) end print(pcall(function() a.x = 1 end))
---
local mt = {} for _, e in ipairs {'add', 'sub', 'mul', 'div', 'mod', 'pow', 'concat'} do mt['__' .. e] = function(a, b) return e .. type(a) .. type(b) end end
local t = setmetatable({}, mt) print(t + 1, 1 - t, t * t, t / 'x', 'x' % t, t ^ 2, t .. 'a', 'a' .. t, 1 .. t)
---
local t = setmetatable({}, {__unm = function(a, b) return a == b end, __len = function() return 42 end}) print(-t, #t)
---
local mt = {__eq = function(a, b) return true end} print(setmetatable({}, mt) == setmetatable({}, mt), setmetatable({}, mt) == 1, setmetatable({}, mt) == setmetatable({}, {}))
---
local mt = {__lt = function(a, b) return a.v < b.v end} local a, b = setmetatable({v = 1}, mt), setmetatable({v = 2}, mt) print(a < b, a > b, a <= b, a >= b)
---
local mt = {__le = function(a, b) return a.v <= b.v end} local a, b = setmetatable({v = 1}, mt), setmetatable({v = 2}, mt) print(a <= b, a >= b, pcall(function() return a < b end))
---
local a, b = setmetatable({}, {__lt = function() return true end}), setmetatable({}, {__lt = function() return true end}) print(pcall(function() return a < b end))
---
local t = setmetatable({}, {__call = function(self, a, b) return a, b, self ~= nil end}) print(t(1, 2))
---
local t = setmetatable({}, {__call = 5}) print(pcall(t))
---
local log = {} local t = setmetatable({}, {__newindex = function(t, k, v) rawset(t, k, v * 2) end}) t.x = 5 t.x = 6 print(t.x)
---
local t = setmetatable({}, {__index = {a = 1}}) print(t.a, t.b, rawget(t, 'a'))
---
local t = setmetatable({}, {__concat = function(a, b) return 'C' end}) print('a' .. t .. 'b', 1 .. 2 .. t, t .. 1 .. 2)
---
local t = setmetatable({}, {__concat = function(a, b) return (type(a) == 'table' and 'T' or a) .. (type(b) == 'table' and 'T' or b) end}) print('a' .. 'b' .. t .. 'c' .. 'd')
---
local t = setmetatable({}, {__add = function(a, b) error('meta') end}) print(pcall(function() return t + 1 end))
---
local t = setmetatable({}, {__index = function(t, k) error('no field ' .. k, 2) end})
return t.foo
---
local t = setmetatable({}, {__add = 1}) return t + 1
---
local co = coroutine.create(function(a, b) print(a, b) local c = coroutine.yield(a + b) print(c) return 'end' end)
print(coroutine.status(co), coroutine.resume(co, 1, 2)) print(coroutine.status(co), coroutine.resume(co, 'x')) print(coroutine.status(co), coroutine.resume(co))
---
local co = coroutine.create(function() error('oops') end) print(coroutine.resume(co)) print(coroutine.status(co))
---
local co = coroutine.create(function() error({1}) end) local ok, e = coroutine.resume(co) print(ok, type(e), e[1])
---
local f = coroutine.wrap(function() error('oops') end) f()
---
local f = coroutine.wrap(function() error({}) end) print(type(select(2, pcall(f))))
---
local f = coroutine.wrap(function() return 1 end) f() f()
---
print(coroutine.running())
---
coroutine.wrap(function() print(type(coroutine.running())) end)()
---
coroutine.yield(1)
---
print(pcall(coroutine.yield, 1))
---
local co co = coroutine.create(function() return coroutine.resume(co) end) print(coroutine.resume(co))
---
local co co = coroutine.wrap(function() return co() end) print(pcall(co))
---
local co1, co2 co1 = coroutine.create(function() print(coroutine.status(co1)) coroutine.resume(co2) end) co2 = coroutine.create(function() print(coroutine.status(co1), coroutine.resume(co1)) end) coroutine.resume(co1)
---
local function gen(n) return coroutine.wrap(function() for i = 1, n do coroutine.yield(i) end end) end for i in gen(3) do print(i) end
---
local co = coroutine.wrap(function(...) local args = {...} while true do args = {coroutine.yield(#args)} end end) print(co(1, 2), co(), co(1, 2, 3))
---
print(coroutine.resume(coroutine.create(function() return pcall(coroutine.yield, 1) end)))
---
print(coroutine.resume(coroutine.create(function() local t = setmetatable({}, {__index = function() coroutine.yield(1) end}) return t.x end)))
---
print(coroutine.resume(coroutine.create(function() for i in function() coroutine.yield(2) end do end end)))
---
print(coroutine.resume(coroutine.create(function() table.sort({1, 2, 3}, function() coroutine.yield() end) end)))
---
print(coroutine.resume(coroutine.create(function() return ('x'):gsub('x', function() coroutine.yield() end) end)))
---
coroutine.create(1)
---
coroutine.create(print)
---
coroutine.resume(1)
---
coroutine.status()
---
print(pcall(coroutine.wrap, nil))
---
local co = coroutine.create(function() local x <const> = 1 end)
---
local function f() local x = coroutine.yield() return x end local co = coroutine.create(function() return f() + f() end) coroutine.resume(co) coroutine.resume(co, 1) print(coroutine.resume(co, 2))
---
local n = 0 local function r() n = n + 1 return coroutine.wrap(r)() end print(pcall(r) , n > 100)
---
local function p(n) if n == 0 then return 'bottom' end return select(2, pcall(p, n - 1)) end print(p(100)) print(p(250))
---
print(getfenv(1) == _G, getfenv(0) == _G, getfenv(print) == _G)
---
local function f() return x end setfenv(f, {x = 'env'}) print(f())
---
setfenv(1, {print = print, y = 5}) print(y, x)
---
print(pcall(setfenv, print, {}))
---
print(pcall(getfenv, 100))
---
print(pcall(getfenv, -1))
---
local p = newproxy(true) print(type(p), type(getmetatable(p))) getmetatable(p).__index = function(t, k) return k end print(p.foo, getmetatable(newproxy(p)) == getmetatable(p), getmetatable(newproxy()))
---
getmetatable(newproxy(true)).__len = nil print(pcall(function() return #newproxy() end))
---
local p = newproxy(true) getmetatable(p).__len = function() return 9 end print(#p)
---
print(collectgarbage('count') > 0, collectgarbage())
---
print(pcall(collectgarbage, 'foo'))
---
print(_VERSION, type(_G), _G._G == _G)
---
print("a\nb\tc\\d\"e\065\10x\z")
---
print('line1\
line2')
---
print([[long
string]], [==[with ]] inside]==], #[[
skip first newline]])
---
print([[a[[b]])
---
print('unfinished
---
print("unfinished
---
print([[unfinished
---
--[[ unfinished comment
---
--[==[ ok ]] ]==] print('after comment')
---
print('\300')
---
print(1..2)
---
print(3x)
---
print(0x)
---
print(1e)
---
print(1.2.3)
---
x = }
---
x = 'abc' 'def'
---
for
---
for i
---
for i = 1
---
for i = 1, 2
---
for i, j
---
for i in
---
if
---
if x
---
if x then
---
if x then else
---
if x then elseif
---
while
---
while x
---
while x do
---
repeat
---
repeat until
---
function
---
function f
---
function f(
---
function f(a
---
function f(a,
---
function f(...
---
function f(..., a) end
---
function f(a) 
---
function a.b.c:d.e() end
---
local
---
local function
---
local x =
---
local 1
---
return return
---
return 1 2
---
return
x = 1
---
break
---
while true do local f = function() break end end
---
x
---
x y
---
x.y
---
x:y
---
(x) = 1
---
f() = 1
---
x, y
---
x, f() = 1, 2
---
x = 1 = 2
---
x = {
---
x = {1, 2
---
x = {1 2}
---
x = {a = }
---
x = {[1 = 2}
---
x = {[1] 2}
---
x = f(
---
x = f(1
---
x = (1
---
x = (
---
x = ()
---
x = a.
---
x = a.1
---
x = a:b
---
x = a[
---
x = a[1
---
x = ...
function f() return ... end
---
x = not
---
x = -
---
x = #
---
x = 1 +
---
x = and 1
---
x = 1 and
---
end
---
until x
---
else
---
)
---
@
---
x = $
---
x = a ~ b
---
x ~= 1
---
goto = 1 print(goto)
---
x = 1; ; y = 2
---
f
(1)
---
local f = print
f
(1)
---
local s = 'x' print(s:upper():lower():rep(2))
---
print(#'abc' == 3, -2 ^ 2, not 1 == 2, 2 ^ 3 ^ 2, 1 .. 2 .. 3, 1 + 2 < 4 and 'ok')
---
print(2 * 3 + 4 * 5 - 6 / 2 % 2, (2 + 3) * 4, -3 ^ 2, 5 - -3, - - 3, not not nil)
---
print('a' .. 'b' == 'ab', 1 < 2 == true, 'x' < 'y' and 1 or 2)
---
local t = {f = function(self, x) return self.v + x end, v = 10} print(t:f(5), t.f(t, 6), t['f'](t, 7))
---
local t = {1, 2, 3; 4, x = 5; [6 + 1] = 8,} print(#t, t.x, t[7])
---
print(type(f'x' or 1))
---
local function f(x) return x end print(f'str', f"str", f[[str]], f{1}[1], #f{1, 2})
---
do local x = 1 do local x = 2 print(x) end print(x) end
---
local x <close> = 1
---
local function f(a, b, c) return a, b, c end print(f(1)) print(f(1, 2, 3, 4))
---
print((nil == nil), (1 ~= 2), 1 >= 1, 2 <= 1)
---
local s = 0 for i = 1, 10 do if i % 2 == 0 then s = s + i elseif i == 5 then s = s + 100 else s = s - 1 end end print(s)
---
local a = {} a[1], a[2], a[3] = 1, 2 print(a[1], a[2], a[3])
---
local function f() return 1, 2 end local a, b, c = 0, f() print(a, b, c) a, b, c = f(), 10 print(a, b, c)
---
local t = {} t.x, t.y = 1 print(t.x, t.y)
---
print(('%d'):format(5), ('a,b,c'):find(',', 1, true), ('abc'):upper())
---
print(string.format('%-5s|%5s|', 'ab', 'cd'), ('x'):rep(3, ','))
---
local big = {} for i = 1, 300 do big[i] = i end print(select('#', unpack(big)), (select(300, unpack(big))))
---
local t = {} for i = 1, 1000 do t[#t + 1] = i end print(#t, t[1000])
---
local f = loadstring('local a = ... return a * 2') print(f(21))
---
local e = setmetatable({}, {__tostring = function() return 'E!' end}) print(pcall(error, e))
---
print(pcall(function() local a = {} ; a.b.c.d = 1 end))
---
print(pcall(function() string.rep(1, 2, 3).x.y = 1 end))
---
print(pcall(function() return ('x')() end))
---
print(pcall(function() return (1)() end))
---
print(pcall(function() local t = {} t[1]() end))
---
print(pcall(function() local t = {} t.x.y() end))
---
print(pcall(function() local t = {{}} t[1].z() end))
---
print(pcall(function() math.foo() end))
---
print(pcall(function() return math.pi() end))
---
print(pcall(function() local a = 'x' return a.b.c end))
---
print(pcall(function() return nosuch.field end))
---
print(pcall(function() nosuch.field = 1 end))
---
print(pcall(function() return 1 + nosuch end))
---
print(pcall(function() return nosuch .. 'x' end))
---
print(pcall(function() return (nosuch or other) + 1 end))
---
print(pcall(function() return (nosuch and 1) + 1 end))
---
print(pcall(function() return #nosuch end))
---
print(pcall(function() return -nosuch end))
---
print(pcall(function() return 2 ^ {} end))
---
print(pcall(function() local x = 5; return x.y.z end))
---
print(pcall(function() local x = true; x.y = 1 end))
---
print(pcall(function() return string.nofunc('x') end))
---
print(pcall(function() local s = 'a' s:nomethod() end))
---
print(pcall(function() ('a'):rep(1):nomethod() end))
---
print(pcall(function() local t = {} t:m() end))
---
print(pcall(function() local t = {m = 5} t:m() end))
---
print(pcall(string.sub))
---
string.sub()
---
('x'):rep()
---
('x'):rep({})
---
local s = string s.rep()
---
local rep = string.rep rep()
---
local t = {r = string.rep} t.r()
---
local t = {r = string.rep} t:r()
---
local t = {string.rep} t[1]()
---
string.rep('x', 'y')
---
('x').rep()
---
setmetatable()
---
math.floor({})
---
table.concat()
---
table.concat({}, {})
---
tostring()
---
ipairs()
---
local x = 1
local y = 2
local z = x +
  nil
---
local t = {
  a = 1,
  b = nil + 1,
  c = 3,
}
---
print(1,
  2,
  nosuch.x,
  3)
---
local function f(
  a, b)
  return a.x
end
f(
  1,
  2)
---
foo(
  1,
  2
)
---
foo
.bar
.baz()
---
local a = 1 +
  2 +
  {} +
  3
---
local s = 'a' ..
  'b' ..
  nil ..
  'c'
---
if 1 <
  nil
then
end
---
for i = 1,
  'x'
do
end
---
return (
  nil)()
---
local x = function() return 1 end + 1
---
print(string.format("%5.3s|", "abcdef"), string.format("%+5d|%+.2f", 3, 1.005), string.format("%x", 3.7))
---
print(8 % 3.5, -2 ^ 0.5, 2 ^ 53 + 1, 1e16, 123456.789e3, 5 / 2, -5 / 2, 1e300 * 1e300)
---
print(0.1 + 0.2, 1 - 0.9, 100 * 1.1, 1e21, 1e-7, 123e-7, 3.0, -0.0)
---
print(math.floor(-0.5), math.ceil(-0.5), 0 * -1, math.max(0, -0), math.abs(-0))
---
local t = {} t[1.0] = 'a' t['1'] = 'b' print(t[1], t['1'], #t)
---
local t = {} t[2^53] = 1 t[-1] = 2 t[0] = 3 t[1.5] = 4 print(t[2^53], t[-1], t[0], t[1.5], #t)
---
local a <b
---
print(not 1 < 2)
---
print(pcall(next, {1, 2}, 3))
---
print(next({1, 2}, 2), next({1, 2}, 1))
---
local t = {1, 2, 3, a = 1} t.a = nil t[2] = nil local n = 0 for k in pairs(t) do n = n + 1 end print(n)
---
print(tostring(1e15), tostring(-1e15), tostring(1e14), 2^31, 2^63, -2^63, 2^64)
---
print(string.byte('\255'), '\255' == string.char(255), ('\128\255'):upper() == '\128\255')
---
local a, b, c, d = string.byte('hello', 1, 4) print(a, b, c, d)
---
print(tostring(print):match('^function: ') ~= nil, tostring({}):match('^table: 0x') ~= nil)
---
print(table.unpack, string.pack, math.type, utf8)
---
print(pcall(load, 5))
---
local f = function(...) return select('#', ...), ... end print(f(f(f())))
---
local t = {f = {g = {h = function() error('deep') end}}} t.f.g.h()
---
local ok, e = pcall(function() local t = nil; for i = 1, 3 do t[i] = i end end) print(e)
---
while 1 do if nil then else break end end print('ok')
---
local x = 5 local y = x > 3 and x < 10 local z = not (x == 5) or y print(y, z, x == 5, x ~= 5)
---
local function f(a) a = a or 'default' return a end print(f(), f(false), f(1))
---
local t = {10, 20, 30} local s = 0 for _, v in next, t do s = s + v end print(s)
---
local t = setmetatable({}, {__index = function(_, k) return k * 2 end}) print(t[21], t[1] + t[2])
---
print(tostring(2^1023 * 2), tostring(-(0/0)) == tostring(0/0), -(0/0))
---
print(string.format('%5s%%|%-5d|%c', 'x', 7, 33))
---
local s = '' for c in ('hello'):gmatch('.') do s = c .. s end print(s)
---
print(('a b  c'):gsub(' +', '_'), ('abc'):gsub('', '.'), ('abc'):gsub('b*', 'x'))
---
print(('x = 1, y = 2'):gsub('(%w+) = (%w+)', '%2 = %1'))
---
print(('hello world from lua'):gsub('(%w+)', '<%1>', 2), (' x '):gsub('^%s*(.-)%s*$', '%1'))
---
print(('abc'):find('b', 1, true), ('abc'):find('b', -1, true), ('abc'):find('', 4), ('abc'):find('', 5))
---
print(('a\0b\0c'):find('\0'), #('a\0b'):rep(2), ('a\0b'):byte(1, -1))
---
print(('key = value'):match('^(%w+)%s*=%s*(%w+)$'), ('0x1F'):match('^0[xX](%x+)$'), ('a.b.c'):match('^(.-)%.(.*)$'))
---
print(loadstring('x =', 'a very long chunk name that goes on and on and on and on and on and on'))
---
print(pcall(loadstring('error("x")', 'a very long chunk name that goes on and on and on and on and on and on')))
---
print(pcall(loadstring('error("x")', '@a/very/long/file/name/that/goes/on/and/on/and/on/and/on/and/on/and/on.lua')))
---
print(pcall(loadstring('error("x")', '=a very long given name that goes on and on and on and on and on and on')))
---
print(loadstring('x =', '@a/very/long/file/name/that/goes/on/and/on/and/on/and/on/and/on/and/on/and/on/and/on.lua'))
