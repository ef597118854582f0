// The main features of ioredis, whose package contains no tests. The server's port is in PORT.

const assert = require("node:assert/strict");
const { after, beforeEach, test } = require("node:test");
const Redis = require("ioredis");

const port = Number(process.env.PORT);
const opened = [];

function connect(options = {}) {
  const client = new Redis({ host: "127.0.0.1", port, ...options });
  opened.push(client);
  return client;
}

const redis = connect();

function next(emitter, event) {
  return new Promise((resolve) => emitter.once(event, (...values) => resolve(values)));
}

beforeEach(() => redis.flushall());
after(() => opened.forEach((client) => client.disconnect()));

test("strings, numbers and bytes", async () => {
  assert.equal(await redis.set("s", "v", "EX", 100), "OK");
  assert.equal(await redis.set("s", "w", "NX"), null);
  assert.equal(await redis.set("s", "w", "XX", "GET"), "v");
  assert.equal(await redis.getex("s", "PERSIST"), "w");
  assert.equal(await redis.ttl("s"), -1);
  assert.equal(await redis.incrbyfloat("n", 2.5), "2.5");
  await redis.set("bytes", Buffer.from([0, 255, 13, 10]));
  assert.deepEqual(await redis.getBuffer("bytes"), Buffer.from([0, 255, 13, 10]));
  assert.deepEqual(await redis.mget("s", "missing"), ["w", null]);
});

test("hashes with fields that expire", async () => {
  assert.equal(await redis.hset("h", { a: 1, b: 2 }), 2);
  assert.deepEqual(await redis.hgetall("h"), { a: "1", b: "2" });
  assert.deepEqual(await redis.hexpire("h", 100, "FIELDS", 1, "a"), [1]);
  assert.deepEqual(await redis.httl("h", "FIELDS", 2, "a", "b"), [100, -1]);
  assert.deepEqual((await redis.hrandfield("h", 2)).sort(), ["a", "b"]);
});

test("lists, sets and sorted sets", async () => {
  await redis.rpush("l", 1, 2, 3, 2);
  assert.deepEqual(await redis.lpos("l", 2, "COUNT", 0), [1, 3]);
  assert.deepEqual(await redis.lmpop(2, "none", "l", "LEFT", "COUNT", 2), ["l", ["1", "2"]]);
  await redis.sadd("x", "a", "b");
  assert.deepEqual(await redis.smismember("x", "a", "z"), [1, 0]);
  await redis.zadd("z", 1, "one", 2, "two", 3, "three");
  assert.deepEqual(await redis.zrange("z", "(1", "+inf", "BYSCORE", "WITHSCORES"), ["two", "2", "three", "3"]);
  assert.deepEqual(await redis.zpopmax("z"), ["three", "3"]);
  assert.deepEqual(await redis.zmscore("z", "one", "none"), ["1", null]);
});

test("pipelines and transactions", async () => {
  const replies = await redis.pipeline().set("a", 1).incr("a").lpush("a", "x").get("a").exec();
  assert.deepEqual(replies.filter(([error]) => !error).map(([, reply]) => reply), ["OK", 2, "2"]);
  assert.match(replies[2][0].message, /^WRONGTYPE /);
  assert.deepEqual(await redis.multi().set("b", 1).incr("b").exec(), [[null, "OK"], [null, 2]]);
  const other = connect();
  await other.watch("b");
  await redis.set("b", 10);
  assert.equal(await other.multi().incr("b").exec(), null);
  await assert.rejects(redis.multi().set("b").exec(), /EXECABORT/);
});

test("automatic pipelines", async () => {
  const client = connect({ enableAutoPipelining: true });
  const replies = await Promise.all(Array.from({ length: 500 }, () => client.incr("n")));
  assert.deepEqual(replies, Array.from({ length: 500 }, (_, i) => i + 1));
});

test("scripts, and a prefix of keys", async () => {
  const client = connect({ keyPrefix: "p:", scripts: { both: { numberOfKeys: 1, lua: "return {KEYS[1], ARGV[1]}" } } });
  assert.deepEqual(await client.both("k", "v"), ["p:k", "v"]);
  await redis.script("FLUSH");
  assert.deepEqual(await client.both("k", "v"), ["p:k", "v"]);
  await client.set("k", 1);
  assert.equal(await redis.get("p:k"), "1");
  await assert.rejects(redis.eval("return redis.call('nothing')", 0), /Unknown Redis command called from script/);
});

test("publish and subscribe", async () => {
  const subscriber = connect();
  assert.equal(await subscriber.subscribe("a", "b"), 2);
  assert.equal(await subscriber.psubscribe("c*"), 3);
  let message = next(subscriber, "message");
  assert.equal(await redis.publish("a", "hello"), 1);
  assert.deepEqual(await message, ["a", "hello"]);
  message = next(subscriber, "pmessage");
  await redis.publish("cat", "meow");
  assert.deepEqual(await message, ["c*", "cat", "meow"]);
  assert.equal(await subscriber.ping(), "PONG");
  await subscriber.unsubscribe("a", "b");
  await subscriber.punsubscribe("c*");
  assert.equal(await subscriber.set("free", "again"), "OK");
  assert.equal(await subscriber.ssubscribe("shard"), 1);
  message = next(subscriber, "smessage");
  await redis.spublish("shard", "one");
  assert.deepEqual(await message, ["shard", "one"]);
});

test("events of the keyspace", async () => {
  await redis.config("SET", "notify-keyspace-events", "KEA");
  const subscriber = connect();
  await subscriber.subscribe("__keyevent@0__:set");
  const message = next(subscriber, "message");
  await redis.set("seen", 1);
  assert.deepEqual(await message, ["__keyevent@0__:set", "seen"]);
  await redis.config("SET", "notify-keyspace-events", "");
});

test("streams and groups", async () => {
  const reader = connect();
  const waiting = reader.xread("BLOCK", 5000, "STREAMS", "s", "$");
  while (!(await redis.client("LIST")).includes("cmd=xread")) await new Promise(setImmediate);
  const id = await redis.xadd("s", "*", "f", "v");
  assert.deepEqual(await waiting, [["s", [[id, ["f", "v"]]]]]);
  await redis.xgroup("CREATE", "s", "g", "0");
  assert.deepEqual(await redis.xreadgroup("GROUP", "g", "me", "COUNT", 1, "STREAMS", "s", ">"), [["s", [[id, ["f", "v"]]]]]);
  assert.deepEqual(await redis.xpending("s", "g"), [1, id, id, [["me", "1"]]]);
  assert.equal((await redis.xautoclaim("s", "g", "you", 0, "0"))[1].length, 1);
  assert.equal(await redis.xack("s", "g", id), 1);
});

test("blocking commands", async () => {
  const waiter = connect();
  const waiting = waiter.blpop("jobs", 5);
  while (!(await redis.client("LIST")).includes("cmd=blpop")) await new Promise(setImmediate);
  await redis.rpush("jobs", "one");
  assert.deepEqual(await waiting, ["jobs", "one"]);
  assert.equal(await waiter.bzpopmin("none", 0.05), null);
});

test("streams that scan", async () => {
  const pipeline = redis.pipeline();
  for (let i = 0; i < 300; i++) pipeline.set(`k${i}`, i).hset("h", `f${i}`, i).sadd("set", i).zadd("z", i, i);
  await pipeline.exec();
  const all = async (stream) => (await stream.toArray()).flat();
  assert.equal(new Set(await all(redis.scanStream({ match: "k*", count: 20, type: "string" }))).size, 300);
  assert.equal((await all(redis.hscanStream("h"))).length, 600);
  assert.equal((await all(redis.sscanStream("set"))).length, 300);
  assert.equal((await all(redis.zscanStream("z"))).length, 600);
});

test("monitors", async () => {
  const monitor = await connect().monitor();
  opened.push(monitor);
  const seen = next(monitor, "monitor");
  await redis.set("watched", "x");
  assert.deepEqual((await seen)[1], ["set", "watched", "x"]);
});

test("users, databases and names", async () => {
  await redis.acl("SETUSER", "app", "on", ">secret", "~app:*", "+@all");
  const client = connect({ username: "app", password: "secret", db: 3, connectionName: "mine" });
  assert.equal(await client.set("app:k", 1), "OK");
  assert.equal(await client.client("GETNAME"), "mine");
  await assert.rejects(client.get("other"), /^ReplyError: NOPERM /);
  assert.equal(await redis.exists("app:k"), 0);
  const stranger = connect({ password: "wrong", username: "app", lazyConnect: true, retryStrategy: null });
  stranger.on("error", () => {});
  await assert.rejects(stranger.connect().then(() => stranger.ping()), /WRONGPASS|Connection is closed/);
  await redis.acl("DELUSER", "app");
});

test("connections that are killed come back", async () => {
  const client = connect({ retryStrategy: () => 1 });
  const subscriber = connect({ retryStrategy: () => 1 });
  await client.ping();
  await subscriber.subscribe("news");
  const ready = next(subscriber, "ready");
  await redis.client("KILL", "ID", await client.client("ID"));
  await redis.client("KILL", "TYPE", "pubsub");
  assert.equal(await client.set("k", "after"), "OK");
  await ready;
  while ((await redis.publish("news", "again")) === 0) await new Promise(setImmediate);
});

test("functions", async () => {
  await redis.function("LOAD", "#!lua name=lib\nredis.register_function('twice', function(k, a) return 2 * a[1] end)");
  assert.equal(await redis.fcall("twice", 0, 21), 42);
  assert.deepEqual((await redis.function("LIST"))[0].slice(0, 2), ["library_name", "lib"]);
  await redis.function("FLUSH");
});
