// The scenario by node-redis.

const { createCluster, createSentinel } = require("redis");
const { addresses, isCluster, play } = require("./load");

function create() {
  if (isCluster) {
    return createCluster({ rootNodes: addresses.map(({ host, port }) => ({ url: `redis://${host}:${port}` })) });
  }
  return createSentinel({ name: "mymaster", sentinelRootNodes: addresses });
}

async function heard(subscribe) {
  let take;
  const next = new Promise((resolve) => (take = resolve));
  await subscribe((message) => take(message));
  return { next };
}

async function main() {
  const redis = create();
  redis.on("error", (error) => console.error(error.message));
  redis.on("node-error", (error) => console.error(error.message));
  await redis.connect();
  await play({
    set: (key, value) => redis.set(key, value),
    get: (key) => redis.get(key),
    del: (key) => redis.del(key),
    // Commands that are sent without waiting form a pipeline, on each node of its own.
    setAll: (pairs) => Promise.all(pairs.map(([key, value]) => redis.set(key, value))),
    transaction: (tag) => redis.multi().set(`{${tag}}text`, "v").incr(`{${tag}}number`).exec(),
    setAndWait: async (key, value) => {
      const wait = ["WAIT", "1", "500"];
      const batch = redis.multi().set(key, value);
      const replies = await (isCluster ? batch.addCommand(key, false, wait) : batch.addCommand(false, wait)).execAsPipeline();
      return replies[1] >= 1;
    },
    hear: (channel) => heard((listener) => redis.subscribe(channel, listener)),
    hearShard: (channel) => heard((listener) => redis.sSubscribe(channel, listener)),
    publish: (channel, message) => redis.publish(channel, message),
    publishToShard: (channel, message) => redis.sPublish(channel, message),
  });
}

main();
