// The main features of node-redis, whose package contains no tests. The server's port is in PORT, the protocol in RESP.

const assert = require("node:assert/strict");
const { after, before, beforeEach, test } = require("node:test");
const { createClient, createClientPool, defineScript } = require("redis");

const RESP = Number(process.env.RESP);
const socket = { host: "127.0.0.1", port: Number(process.env.PORT) };
const opened = [];
let redis;

async function connect(options = {}) {
  const client = createClient({ RESP, socket, ...options });
  client.on("error", () => {});
  opened.push(client);
  return client.connect();
}

async function until(condition) {
  while (!(await condition())) await new Promise(setImmediate);
}

before(async () => {
  redis = await connect();
});
beforeEach(() => redis.flushAll());
after(() => opened.forEach((client) => client.destroy()));

test("strings and numbers", async () => {
  assert.equal(await redis.set("s", "v", { expiration: { type: "EX", value: 100 } }), "OK");
  assert.equal(await redis.set("s", "w", { condition: "NX" }), null);
  assert.equal(await redis.getEx("s", { type: "PERSIST" }), "v");
  assert.equal(await redis.ttl("s"), -1);
  assert.equal(await redis.incrByFloat("n", 2.5), "2.5");
  assert.deepEqual(await redis.mGet(["s", "missing"]), ["v", null]);
  assert.equal((await redis.lcsIdx("s", "s")).len, 1);
});

test("hashes with fields that expire", async () => {
  assert.equal(await redis.hSet("h", { a: 1, b: 2 }), 2);
  assert.deepEqual({ ...(await redis.hGetAll("h")) }, { a: "1", b: "2" });
  assert.deepEqual(await redis.hExpire("h", ["a"], 100), [1]);
  assert.deepEqual(await redis.hTTL("h", ["a", "b"]), [100, -1]);
  assert.deepEqual(await redis.hRandFieldCountWithValues("h", 1).then((pairs) => pairs.length), 1);
});

test("lists, sets and sorted sets", async () => {
  await redis.rPush("l", ["1", "2", "3"]);
  assert.deepEqual(await redis.lmPop(["none", "l"], "LEFT", { COUNT: 2 }), ["l", ["1", "2"]]);
  await redis.sAdd("x", ["a", "b"]);
  assert.deepEqual([...(await redis.sMembers("x"))].sort(), ["a", "b"]);
  await redis.zAdd("z", [{ score: 1, value: "one" }, { score: 2.5, value: "two" }, { score: Infinity, value: "all" }]);
  assert.deepEqual(await redis.zRangeWithScores("z", 1, -1), [
    { value: "two", score: 2.5 },
    { value: "all", score: Infinity },
  ]);
  assert.deepEqual(await redis.zmScore("z", ["one", "none"]), [1, null]);
  assert.deepEqual(await redis.zRankWithScore("z", "two"), { rank: 1, score: 2.5 });
});

test("places on the globe", async () => {
  await redis.geoAdd("g", [{ longitude: 13.361389, latitude: 38.115556, member: "Palermo" }]);
  const found = await redis.geoSearchWith("g", { longitude: 15, latitude: 37 }, { radius: 200, unit: "km" }, ["WITHDIST"]);
  assert.equal(Math.round(Number(found[0].distance)), 190);
});

test("transactions and pipelines", async () => {
  assert.deepEqual(await redis.multi().set("b", 1).incr("b").exec(), ["OK", 2]);
  assert.deepEqual(await redis.multi().incr("b").get("b").execAsPipeline(), [3, "3"]);
  await redis.watch("b");
  const other = await connect();
  await other.set("b", 10);
  await assert.rejects(redis.multi().incr("b").exec(), /watched keys has been changed/);
  await assert.rejects(redis.multi().incr("b").lPush("b", "x").exec(), /commands failed/);
});

test("scripts and functions", async () => {
  const client = await connect({
    scripts: {
      add: defineScript({
        NUMBER_OF_KEYS: 1,
        SCRIPT: "return redis.call('INCRBY', KEYS[1], ARGV[1])",
        parseCommand: (parser, key, n) => {
          parser.pushKey(key);
          parser.push(String(n));
        },
        transformReply: (reply) => reply,
      }),
    },
  });
  assert.equal(await client.add("n", 5), 5);
  await redis.scriptFlush();
  assert.equal(await client.add("n", 5), 10);
  await redis.functionLoad("#!lua name=lib\nredis.register_function('twice', function(k, a) return 2 * a[1] end)");
  assert.equal(await redis.fCall("twice", { keys: [], arguments: ["21"] }), 42);
  const libraries = await redis.functionListWithCode();
  assert.equal(libraries[0].library_name, "lib");
  await redis.functionFlush();
});

test("publish and subscribe", async () => {
  const subscriber = await connect();
  const seen = [];
  await subscriber.subscribe("a", (message, channel) => seen.push([channel, message]));
  await subscriber.pSubscribe("c*", (message, channel) => seen.push([channel, message]));
  await subscriber.sSubscribe("shard", (message, channel) => seen.push([channel, message]));
  await redis.publish("a", "1");
  await redis.publish("cat", "2");
  await redis.sPublish("shard", "3");
  await until(() => seen.length === 3);
  assert.deepEqual(seen, [["a", "1"], ["cat", "2"], ["shard", "3"]]);
  assert.match(await subscriber.ping(), /^pong$/i);
  await subscriber.unsubscribe();
  await subscriber.pUnsubscribe();
  await subscriber.sUnsubscribe();
  // After a subscription in RESP2 it comes as bytes, from every server.
  assert.equal(String(await subscriber.set("free", "again")), "OK");
});

test("streams and groups", async () => {
  const reader = await connect();
  const waiting = reader.xRead({ key: "s", id: "$" }, { BLOCK: 5000 });
  await until(async () => (await redis.sendCommand(["CLIENT", "LIST"])).includes("cmd=xread"));
  const id = await redis.xAdd("s", "*", { f: "v" });
  const [stream] = await waiting;
  assert.equal(stream.messages[0].id, id);
  assert.deepEqual({ ...stream.messages[0].message }, { f: "v" });
  await redis.xGroupCreate("s", "g", "0");
  const [own] = await redis.xReadGroup("g", "me", { key: "s", id: ">" });
  assert.equal(own.messages.length, 1);
  assert.equal((await redis.xPending("s", "g")).pending, 1);
  assert.equal((await redis.xAutoClaim("s", "g", "you", 0, "0")).messages.length, 1);
  assert.equal(await redis.xAck("s", "g", id), 1);
  assert.equal((await redis.xInfoStream("s")).length, 1);
  assert.equal((await redis.xInfoGroups("s"))[0]["entries-read"], 1);
  assert.equal((await redis.xInfoConsumers("s", "g")).length, 2);
});

test("blocking commands, in a pool", async () => {
  const pool = await createClientPool({ RESP, socket }, { minimum: 2, maximum: 4 }).connect();
  const waiting = pool.blPop("jobs", 5);
  await until(async () => (await redis.sendCommand(["CLIENT", "LIST"])).includes("cmd=blpop"));
  await pool.rPush("jobs", "one");
  assert.deepEqual({ ...(await waiting) }, { key: "jobs", element: "one" });
  const numbers = await Promise.all(Array.from({ length: 200 }, () => pool.incr("n")));
  assert.equal(Math.max(...numbers), 200);
  pool.destroy();
});

test("iterators that scan", async () => {
  const all = [];
  for (let i = 0; i < 300; i++) all.push(redis.set(`k${i}`, i), redis.hSet("h", `f${i}`, i), redis.sAdd("set", `${i}`));
  await Promise.all(all);
  const found = new Set();
  for await (const keys of redis.scanIterator({ MATCH: "k*", COUNT: 20 })) keys.forEach((key) => found.add(key));
  assert.equal(found.size, 300);
  let fields = 0;
  for await (const entries of redis.hScanIterator("h")) fields += entries.length;
  assert.equal(fields, 300);
});

test("what the server tells of itself", async () => {
  assert.equal(typeof (await redis.memoryStats())["peak.allocated"], "number");
  assert.match(await redis.info("server"), /redis_version:/);
  assert.equal((await redis.configGet("maxmemory-policy"))["maxmemory-policy"], "noeviction");
  assert.equal((await redis.commandInfo(["get"]))[0].name, "get");
  assert.equal((await redis.clientInfo()).db, 0);
  assert.equal((await redis.role()).role, "master");
  assert.equal((await redis.aclWhoAmI()), "default");
  assert.ok((await redis.aclGetUser("default")).flags.includes("on"));
  assert.ok((await redis.commandCount()) > 200);
  assert.deepEqual(await redis.latencyLatest(), []);
  assert.ok((await redis.time()) instanceof Date || Array.isArray(await redis.time()));
});

test("users and databases", async () => {
  await redis.aclSetUser("app", ["on", ">secret", "~app:*", "+@all"]);
  const client = await connect({ username: "app", password: "secret", database: 3, name: "mine" });
  assert.equal(await client.set("app:k", 1), "OK");
  assert.equal(await client.clientGetName(), "mine");
  await assert.rejects(client.get("other"), /NOPERM/);
  await redis.aclDelUser("app");
});

test("connections that are killed come back", async () => {
  const client = await connect({ socket: { ...socket, reconnectStrategy: () => 1 } });
  let messages = 0;
  const subscriber = await connect({ socket: { ...socket, reconnectStrategy: () => 1 } });
  await subscriber.subscribe("news", () => messages++);
  await redis.clientKill({ filter: "ID", id: await client.clientId() });
  await redis.clientKill({ filter: "TYPE", type: "pubsub" });
  await until(async () => (await client.set("k", "after").catch(() => null)) === "OK");
  await until(async () => (await redis.publish("news", "again")) && messages > 0);
});

test("a cache at the client", { skip: RESP === 2 && "needs RESP3" }, async () => {
  const client = await connect({ clientSideCache: { ttl: 0, maxEntries: 100 } });
  await redis.set("cached", "one");
  assert.equal(await client.get("cached"), "one");
  assert.equal(await client.get("cached"), "one");
  await redis.set("cached", "two");
  await until(async () => (await client.get("cached")) === "two");
});
