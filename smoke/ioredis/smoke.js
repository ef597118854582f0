// ioredis against a running server: smoke.js HOST PORT. Exits with status 1 at the first surprise.

const assert = require("node:assert/strict");
const Redis = require("ioredis");

const [host, port] = [process.argv[2], Number(process.argv[3])];
const options = { host, port, db: 10 };

async function strings(r) {
  assert.equal(await r.set("s", "v"), "OK");
  assert.equal(await r.set("s", "w", "NX"), null);
  assert.equal(await r.get("s"), "v");
  assert.equal(await r.append("s", "xyz"), 4);
  assert.equal(await r.incrby("n", 41), 41);
  assert.equal(await r.incrbyfloat("n", "1.5"), "42.5");
  await r.mset({ a: 1, b: 2 });
  assert.deepEqual(await r.mget("a", "b", "missing"), ["1", "2", null]);
  const bytes = Buffer.from(Array.from({ length: 256 }, (_, i) => i));
  await r.set("bin", bytes);
  assert.deepEqual(await r.getBuffer("bin"), bytes);
  await assert.rejects(r.lpush("s", "a"), /WRONGTYPE/);
}

async function collections(r) {
  assert.equal(await r.hset("h", { f: "1", g: "2" }), 2);
  assert.deepEqual(await r.hgetall("h"), { f: "1", g: "2" });
  assert.equal(await r.hincrby("h", "f", 4), 5);
  assert.equal(await r.rpush("l", "a", "b", "c"), 3);
  assert.deepEqual(await r.lrange("l", 0, -1), ["a", "b", "c"]);
  assert.equal(await r.lmove("l", "l2", "LEFT", "RIGHT"), "a");
  assert.deepEqual(await r.lpop("l", 5), ["b", "c"]);
  await r.sadd("x", "a", "b", "c");
  await r.sadd("y", "b", "c", "d");
  assert.deepEqual((await r.sinter("x", "y")).sort(), ["b", "c"]);
  assert.equal(await r.zadd("z", 1, "a", 2.5, "b", 3, "c"), 3);
  assert.deepEqual((await r.zrange("z", 0, -1, "WITHSCORES")).flat().map(String), ["a", "1", "b", "2.5", "c", "3"]);
  assert.equal(Number(await r.zincrby("z", 10, "a")), 11);
  assert.deepEqual(await r.zrangebyscore("z", "(2.5", "+inf"), ["c", "a"]);
}

async function expiry(r) {
  await r.set("e", "v", "PX", 60);
  assert.ok((await r.pttl("e")) <= 60);
  const deadline = Date.now() + 5000;
  while ((await r.exists("e")) && Date.now() < deadline) await new Promise((done) => setTimeout(done, 10));
  assert.equal(await r.ttl("e"), -2);
}

async function pipelines(r) {
  const pipeline = r.pipeline();
  for (let i = 0; i < 1000; i++) pipeline.incr("counter");
  pipeline.lpush("counter", "wrong type");
  const replies = await pipeline.exec();
  assert.deepEqual(replies.slice(0, 1000).map(([, n]) => n), Array.from({ length: 1000 }, (_, i) => i + 1));
  assert.match(replies[1000][0].message, /WRONGTYPE/);
}

async function transactions(r, other) {
  await r.watch("w");
  assert.deepEqual(await r.multi().set("w", "mine").get("w").exec(), [[null, "OK"], [null, "mine"]]);
  await r.watch("w");
  await other.set("w", "another");
  assert.equal(await r.multi().set("w", "mine").exec(), null);
  assert.equal(await r.get("w"), "another");
}

async function pubsub(r) {
  const subscriber = r.duplicate();
  const messages = [];
  subscriber.on("message", (channel, text) => messages.push([channel, text]));
  subscriber.on("pmessage", (pattern, channel, text) => messages.push([pattern, channel, text]));
  await subscriber.subscribe("news", "more");
  await subscriber.psubscribe("n*");
  assert.equal(await r.publish("news", "hello"), 2);
  const deadline = Date.now() + 5000;
  while (messages.length < 2 && Date.now() < deadline) await new Promise((done) => setTimeout(done, 5));
  assert.deepEqual(messages, [["news", "hello"], ["n*", "news", "hello"]]);
  assert.equal(await subscriber.unsubscribe("news", "more"), 1);
  subscriber.disconnect();
}

async function blocking(r) {
  const waiter = r.duplicate();
  const popped = waiter.blpop("none", "q", 5);
  await r.rpush("q", "job");
  assert.deepEqual(await popped, ["q", "job"]);
  assert.equal(await waiter.blpop("none", 0.05), null);
  waiter.disconnect();
}

async function scan(r) {
  await r.mset(Object.fromEntries(Array.from({ length: 500 }, (_, i) => [`scan:${i}`, i])));
  const found = new Set();
  for await (const keys of r.scanStream({ match: "scan:*", count: 50 })) keys.forEach((key) => found.add(key));
  assert.equal(found.size, 500);
}

async function main() {
  const versions = require("ioredis/package.json").version.startsWith("5.") ? [2] : [2, 3];
  for (const protocol of versions) {
    const r = new Redis({ ...options, protocol });
    const other = new Redis({ ...options, protocol });
    await r.flushdb();
    await strings(r);
    await collections(r);
    await expiry(r);
    await pipelines(r);
    await transactions(r, other);
    await pubsub(r);
    await blocking(r);
    await scan(r);
    await r.flushdb();
    r.disconnect();
    other.disconnect();
  }
  console.log(`ioredis ${require("ioredis/package.json").version}, RESP${versions.join(" and RESP")}`);
}

main().catch((error) => {
  console.error(error);
  process.exit(1);
});
