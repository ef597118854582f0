// The scenario by ioredis.

const Redis = require("ioredis");
const { addresses, isCluster, play } = require("./load");

function connect(options) {
  if (isCluster) return new Redis.Cluster(addresses, options);
  return new Redis({ sentinels: addresses, name: "mymaster", ...options });
}

const redis = connect();

async function batch(commands) {
  return (await commands.exec()).map(([error, reply]) => {
    if (error) throw error;
    return reply;
  });
}

function next(subscriber, event) {
  return new Promise((resolve) => subscriber.once(event, (channel, message) => resolve(message)));
}

play({
  set: (key, value) => redis.set(key, value),
  get: (key) => redis.get(key),
  del: (key) => redis.del(key),
  // A pipeline of a cluster must keep to one node: the library leaves it to the caller to send commands without waiting.
  setAll: (pairs) =>
    isCluster
      ? Promise.all(pairs.map(([key, value]) => redis.set(key, value)))
      : batch(pairs.reduce((pipeline, [key, value]) => pipeline.set(key, value), redis.pipeline())),
  transaction: (tag) => batch(redis.multi().set(`{${tag}}text`, "v").incr(`{${tag}}number`)),
  setAndWait: async (key, value) => {
    const connection = redis.stream; // undefined for a cluster, whose pipelines are repeated as a whole
    const replies = await batch(redis.pipeline().set(key, value).wait(1, 500));
    // After a lost connection the library may repeat WAIT alone, at a master that has no write to wait for.
    return replies[1] >= 1 && redis.stream === connection;
  },
  hear: async (channel) => {
    const subscriber = connect();
    await subscriber.subscribe(channel);
    return { next: next(subscriber, "message") };
  },
  hearShard: async (channel) => {
    const subscriber = connect({ shardedSubscribers: true });
    await subscriber.ssubscribe(channel);
    return { next: next(subscriber, "smessage") };
  },
  publish: (channel, message) => redis.publish(channel, message),
  publishToShard: (channel, message) => redis.spublish(channel, message),
});
