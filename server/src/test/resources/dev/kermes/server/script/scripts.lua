return 1
return
return nil
return true
return false
return 1.9
return -1.9
return 'a'
return ''
return '\r\n'
return {}
return {1,2.9,'a',true,false,nil,5}
return {1,{2,{3,{}}}}
return 1e300
return {0/0, -1e300, 2^53}
return {double=3.5}
return {double=1e100}
return {double=1/0}
return {double='a'}
return {map={a=1}}
return {map={a={map={b={1,2}}}}}
return {set={a=true}}
return {set={a=1,b=2,c=3}}
return {map=1}
return {big_number='123\r\n4'}
return {verbatim_string={string='abc',format='txt'}}
return {verbatim_string={string='abc'}}
return {verbatim_string=1}
return {ok='fine\r\nreally'}
return {ok=5}
return {err='ERR x\r\ny'}
return {err='x'}
return {err=5}
return {{err='CODE x'}, {ok='a'}, 1}
return {ok='a', err='b'}
return tostring
return redis
return coroutine.create(function() end)
return cjson.null
return {1, cjson.null, 2}
return 1, 2, 3
return {KEYS[1], KEYS[2], ARGV[1], ARGV[2], #KEYS, #ARGV}
return KEYS[3]
KEYS[1] = 'x' return KEYS[1]
ARGV = nil
a = 1
return a
return _G.a
return rawget(_G, 'a')
rawset(_G, 'a', 1)
_G.a = 1
redis = 1
redis.foo = 1
redis.call = nil
return redis.foo
string.x = 1
string.len = nil
math.random = nil
cjson.encode = nil
setmetatable(_G, nil)
setmetatable(_G, {})
return type(getmetatable(_G))
getmetatable(_G).__index = nil
getmetatable('').__index = nil
function f() end
local function f(n) if n == 0 then return 0 end return f(n - 1) end return f(10)
error('x')
error('x', 0)
error('x', 2)
error(5)
error()
error(nil)
error(true)
error({err='foo'})
error({err='foo bar', extra=1})
error(redis.error_reply('My custom error'))
return redis.error_reply('A')
return redis.error_reply('A b')
return redis.error_reply('-A b')
return redis.error_reply('-A')
return redis.error_reply('')
return redis.error_reply('a b\r\n')
return redis.error_reply(5)
return redis.error_reply()
return redis.error_reply('a', 'b')
return redis.error_reply('ERR x').err
return redis.status_reply('A b')
return redis.status_reply('')
return redis.status_reply(1)
return redis.status_reply()
return redis.sha1hex('')
return redis.sha1hex('abc')
return redis.sha1hex(1)
return redis.sha1hex()
return redis.sha1hex('a', 'b')
return redis.sha1hex({})
return redis.log(1)
return redis.log('a', 'b')
return redis.log(redis.LOG_DEBUG, 'a', 1, {}, 'b')
return {redis.LOG_DEBUG, redis.LOG_VERBOSE, redis.LOG_NOTICE, redis.LOG_WARNING}
return {redis.REPL_ALL, redis.REPL_AOF, redis.REPL_SLAVE, redis.REPL_REPLICA, redis.REPL_NONE}
return type(redis.REDIS_VERSION) .. type(redis.REDIS_VERSION_NUM)
return redis.setresp(4)
return redis.setresp()
return redis.setresp('a')
return redis.setresp(2)
redis.setresp(3) return redis.call('hgetall', KEYS[1])
redis.setresp(3) return redis.call('get', 'none')
redis.setresp(3) return {redis.call('get', 'none') == nil}
redis.setresp(3) return true
redis.setresp(3) return false
redis.setresp(3) return {true, false}
redis.setresp(3) redis.call('hset','h','a','1') return redis.call('hgetall','h').map.a
redis.setresp(3) redis.call('sadd','s','a') return redis.call('smembers','s')
redis.setresp(3) redis.call('sadd','s','a') return redis.call('smembers','s').set
redis.setresp(3) redis.call('zadd','z','1.5','a') return redis.call('zscore','z','a')
redis.setresp(3) redis.call('zadd','z','1.5','a') return redis.call('zscore','z','a').double
redis.setresp(3) redis.call('zadd','z','1.5','a') return redis.call('zrange','z',0,-1,'withscores')
redis.setresp(3) return redis.call('debug','protocol','bignum')
redis.setresp(3) return redis.call('debug','protocol','verbatim')
redis.setresp(3) return redis.call('debug','protocol','true')
redis.setresp(3) return redis.call('debug','protocol','null')
redis.setresp(3) return redis.call('debug','protocol','map')
redis.setresp(3) return redis.call('debug','protocol','set')
redis.setresp(3) return redis.call('debug','protocol','double')
redis.setresp(3) return cjson.encode(redis.call('debug','protocol','verbatim'))
redis.setresp(3) return cjson.encode(redis.call('debug','protocol','bignum'))
redis.setresp(3) redis.setresp(2) return redis.call('get', 'none')
return redis.call('debug','protocol','map')
return redis.call('debug','protocol','true')
redis.call('hset','h','a','1') return redis.call('hgetall','h')
return redis.call('smembers','s')
return redis.call('zscore','z','a')
return redis.set_repl(redis.REPL_ALL)
return redis.set_repl(9)
return redis.replicate_commands()
return redis.breakpoint()
return redis.debug('x')
return redis.acl_check_cmd('get','x')
return redis.acl_check_cmd('get', 'k')
return redis.acl_check_cmd('config','get', 'x')
return redis.acl_check_cmd('nosuch','x')
return redis.acl_check_cmd()
return redis.call()
return redis.pcall()
return redis.pcall().err
return redis.call({})
return redis.pcall({})
return redis.call('set','a',{})
return redis.call('set','a',true)
return redis.call('set','a',nil)
return redis.call('nosuch')
return redis.pcall('nosuch')
return redis.pcall('nosuch').err
return redis.call('multi')
return redis.call('exec')
return redis.call('watch', 'a')
return redis.call('subscribe', 'a')
return redis.call('eval', 'return 1', '0')
return redis.call('script', 'load', 'x')
return redis.call('config', 'foo')
return redis.call('client', 'id')
return redis.call('auth', 'x')
return redis.call('hello', '3')
return redis.call('monitor')
return redis.call('get')
return redis.call('get', 'a', 'b')
return redis.call('object')
redis.call('set','a','1') return redis.call('object', 'encoding', 'a')
redis.call('set','a','x') return redis.call('incr','a')
redis.call('set','a','x') return redis.pcall('incr','a')
redis.call('set','a','x') local e = redis.pcall('incr','a') return {e.err, tostring(e.source), tostring(e.line), tostring(e.ignore_error_stats_update)}
redis.call('set','a','x') local ok, e = pcall(redis.call, 'incr', 'a') return {tostring(ok), e.err}
redis.call('set','a','x') local e = redis.pcall('incr','a') error(e)
redis.call('set','a','x') return {redis.pcall('incr','a'), 1}
redis.call('del','a') redis.call('lpush','a','1') return redis.call('get','a')
return pcall(error, 'x')
return {pcall(function() error({1,2,3}) end)}
return select(2, pcall(function() error('x') end))
return redis.call('set', KEYS[1], ARGV[1])
return redis.call('get', KEYS[1])
return redis.call('get', 'none')
return type(redis.call('get', 'none'))
return redis.call('ping')
return redis.call('ping').ok
return redis.call('echo', '')
return redis.call('lrange', 'none', 0, -1)
redis.call('del','l') redis.call('rpush','l',1,2,3) return redis.call('lrange','l',0,-1)
redis.call('del','l') redis.call('rpush','l',1,2,3) return #redis.call('lrange','l',0,-1)
redis.call('set','a',3) return redis.call('get','a')
redis.call('set','a',-3) return redis.call('get','a')
redis.call('set','a',3.5) return redis.call('get','a')
redis.call('set','a',1e20) return redis.call('get','a')
redis.call('set','a',2^53) return redis.call('get','a')
redis.call('set','a',1/0) return redis.call('get','a')
redis.call('select', 5) redis.call('set','five','x') return redis.call('get','five')
return redis.call('get','five')
redis.call('select', 100)
return redis.call('publish','nobody','x')
return redis.call('dbsize') >= 0
return redis.call('exists','a') == 1
return redis.call('sort','none')
return redis.call('mset','a','1','b')
return redis.call('type','a')
return redis.call('expire','a',100)
return redis.call('command','count') > 100
return redis.call('set','a',string.rep('x', 20000)) and redis.call('get','a')
redis.call('del','l') redis.call('rpush','l','a',string.rep('y', 20000),'b') return redis.call('lrange','l',0,-1)
local t = {} for i = 1, 1000 do t[i] = i end return t
local t = {} t[1] = 1 t[3] = 3 return t
local a = {} a[1] = {} a[1][1] = {} return a
return unpack({1,2,3})
return {string.byte('a'), ('x'):rep(3)}
return cjson.encode({1,2,{a=1}})
return cjson.decode('[1,2,{"a":null}]')
return cmsgpack.unpack(cmsgpack.pack({1,2,3}))
return struct.pack('>I2', 1)
return bit.band(6, 3)
return table.concat({1,2,3}, ',')
return tostring(nil) .. tostring(true)
return math.floor(3.7)
return #arg
return ...
print('x')
require('x')
dofile('x')
loadfile('x')
return loadstring('return 1')()
return loadstring('a = 1')()
return load('x')
return io.open('x')
return debug.traceback()
return getfenv()
return setfenv(1, {})
return newproxy(true)
return collectgarbage('count') > 0
local t = setmetatable({}, {__index = function(t, k) return k end}) return t.abc
return setmetatable({}, {__index = function(t, k) return 'x' end})
return setmetatable({}, {__tostring = function() return 'x' end})
x
return end
return 1 end
=
return 'abc
goto x
return 1 return 2
-- comment
return redis.call('incr')
return redis['call']('ping')
local call = redis.call return call('ping')
return redis.call(unpack({'ping'}))
return coroutine.wrap(function() return redis.call('ping') end)()
return coroutine.wrap(function() redis.call('set','a','x') return redis.call('incr','a') end)()
return select('#', redis.call('ping'))
return nosuch()
return nosuch.x
return redis.nosuch()
local x = nil; return x.y
return 1 + {}
return 'a' + 1
return 'a' .. {}
return {} < {}
return #5
for i = 1, 'x' do end
return string.rep('x', -1)
return string.rep()
return ('x'):bad()
return tonumber('0x10')
return {tostring(1e15), tostring(0.1), tostring(-0), tostring(1e100)}
return {pcall(function() return 1, 2 end)}
return {pcall(error)}
return {pcall(error, {err='x'})}
return {pcall(error, {err=5})}
return type(select(2, pcall(error, {err=5})))
return {pcall(error, {})}
return {pcall(pcall, error, 'x')}
return select(2, xpcall(function() redis.call('incr') end, function(e) return type(e) end))
return pcall(coroutine.yield)
return {map={a={1,{set={b=1}}},}}
redis.setresp(3) return redis.call('debug','protocol','attrib')
return loadstring(string.dump(function() return 1 end))
return loadstring(string.dump(function() return 1 end))()
return string.dump(print)
