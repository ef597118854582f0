// The scenario of a cluster and of sentinels for the clients of npm; scenario.py says what it prints and reads.

const assert = require("node:assert/strict");
const { once } = require("node:events");
const readline = require("node:readline");
const { setTimeout: sleep } = require("node:timers/promises");

const KEYS = 2000;
const LOAD_KEYS = 1000;
const WRITERS = 4;

exports.isCluster = process.env.DEPLOYMENT === "cluster";
exports.addresses = process.env.NODES.split(",").map((each) => {
  const [host, port] = each.split(":");
  return { host, port: Number(port) };
});

const answers = readline.createInterface({ input: process.stdin });

function tell(line) {
  process.stdout.write(JSON.stringify(line) + "\n");
}

async function step(name, body) {
  try {
    tell({ step: name, errors: (await body()) ?? {} });
  } catch (error) {
    tell({ step: name, failure: `${error.name}: ${error.message}` });
  }
}

// GET, again and again for a while until the client has found the new master.
async function read(client, key) {
  const end = Date.now() + 30_000;
  for (;;) {
    try {
      return await client.get(key);
    } catch (error) {
      if (Date.now() > end) throw error;
      await sleep(10);
    }
  }
}

// Writers of rising numbers, each to keys of its own, until the change is done.
async function underLoad(client, change, write) {
  for (let key = 0; key < LOAD_KEYS; key++) await client.del(`load${key}`);
  const acknowledged = new Array(LOAD_KEYS).fill(0);
  const errors = {};
  let [writes, isEnding] = [0, false];

  async function run(index) {
    for (let number = 1; !isEnding; number++) {
      for (let key = index; key < LOAD_KEYS && !isEnding; key += WRITERS) {
        try {
          if (!(await write(`load${key}`, String(number)))) continue;
          acknowledged[key] = number;
          writes++;
        } catch (error) {
          const text = `${error.name}: ${error.message}`;
          errors[text] = (errors[text] ?? 0) + 1;
          await sleep(10);
        }
      }
    }
  }

  async function more(count) {
    const [wanted, end] = [writes + count, Date.now() + 60_000];
    while (writes < wanted) {
      assert.ok(Date.now() < end, `no more writes: ${JSON.stringify(errors)}`);
      await sleep(1);
    }
  }

  const running = Array.from({ length: WRITERS }, (_, index) => run(index));
  try {
    await more(400);
    tell({ act: change });
    await once(answers, "line");
    await more(400);
  } finally {
    isEnding = true;
    await Promise.all(running);
  }
  for (let key = 0; key < LOAD_KEYS; key++) {
    const found = Number(await read(client, `load${key}`));
    assert.ok(found >= acknowledged[key], `lost: load${key} acknowledged ${acknowledged[key]}, found ${found}`);
  }
  return errors;
}

// A client has: set, get, del; setAll(pairs); transaction(tag), with the replies to SET {tag}text and INCR {tag}number;
// setAndWait(key, value), by SET and WAIT on one connection; hear(channel) and hearShard(channel), with the next message;
// publish, publishToShard; close.
exports.play = async (client) => {
  await step("keys", async () => {
    for (let i = 0; i < KEYS; i++) await client.set(`key${i}`, `value${i}`);
    for (let i = 0; i < KEYS; i++) assert.equal(await client.get(`key${i}`), `value${i}`);
  });
  await step("pipeline", async () => {
    await client.setAll(Array.from({ length: KEYS }, (_, i) => [`key${i}`, `other${i}`]));
    for (let i = 0; i < KEYS; i++) assert.equal(await client.get(`key${i}`), `other${i}`);
  });
  await step("transaction", async () => {
    for (const tag of "abcd") {
      assert.deepEqual(await client.transaction(tag), ["OK", 1]);
      assert.equal(await client.get(`{${tag}}text`), "v");
    }
  });
  await step("messages", async () => {
    const heard = await client.hear("news");
    await client.publish("news", "one");
    assert.equal(await heard.next, "one");
  });
  if (exports.isCluster) {
    await step("shard messages", async () => {
      const heard = await client.hearShard("orders");
      await client.publishToShard("orders", "one");
      assert.equal(await heard.next, "one");
    });
    await step("reshard", () => underLoad(client, "reshard", client.set));
  }
  await step("failover", () => underLoad(client, "failover", client.set));
  await step("freeze", () => underLoad(client, "freeze", client.setAndWait));
  await step("kill", () => underLoad(client, "kill", client.setAndWait));
  process.exit(0);
};
