// The main features of BullMQ, whose package contains no tests. The server's port is in PORT.

const assert = require("node:assert/strict");
const { after, beforeEach, test } = require("node:test");
const { FlowProducer, Queue, QueueEvents, UnrecoverableError, Worker } = require("bullmq");

const connection = { host: "127.0.0.1", port: Number(process.env.PORT) };
const opened = [];
let queue;
let count = 0;

function open(thing) {
  thing.on("error", () => {});
  opened.push(thing);
  return thing;
}

function work(processor, options = {}) {
  return open(new Worker(queue.name, processor, { connection, ...options }));
}

async function events() {
  const listener = open(new QueueEvents(queue.name, { connection }));
  await listener.waitUntilReady();
  return listener;
}

function jobs(emitter, event, wanted) {
  const seen = [];
  return new Promise((resolve) =>
    emitter.on(event, (job) => {
      seen.push(job);
      if (seen.length === wanted) resolve(seen);
    }),
  );
}

beforeEach(() => {
  queue = open(new Queue(`queue-${count++}`, { connection }));
});
after(() => Promise.all(opened.map((thing) => thing.close())));

test("a job is processed, and its result waits", async () => {
  const listener = await events();
  const job = await queue.add("double", { n: 21 });
  work(async ({ data }) => 2 * data.n);
  assert.equal(await job.waitUntilFinished(listener, 20000), 42);
  assert.equal(await job.getState(), "completed");
  assert.deepEqual(await queue.getJobCounts("completed", "waiting"), { completed: 1, waiting: 0 });
});

test("priorities, and last in first out", async () => {
  await queue.addBulk([5, 1, 3].map((priority) => ({ name: "p", data: priority, opts: { priority } })));
  await queue.add("none", 0);
  await queue.add("none", -1, { lifo: true });
  const worker = work(async () => {});
  const done = await jobs(worker, "completed", 5);
  assert.deepEqual(done.map(({ data }) => data), [-1, 0, 1, 3, 5]);
});

test("delayed jobs", async () => {
  const job = await queue.add("later", {}, { delay: 150 });
  assert.equal(await job.getState(), "delayed");
  const worker = work(async () => {});
  const [done] = await jobs(worker, "completed", 1);
  assert.ok(done.processedOn - done.timestamp >= 150);
  const promoted = await queue.add("much later", {}, { delay: 1000000 });
  const next = jobs(worker, "completed", 1);
  await promoted.promote();
  await next;
});

test("failures are tried again", async () => {
  const job = await queue.add("flaky", {}, { attempts: 3, backoff: { type: "fixed", delay: 20 } });
  const worker = work(async ({ attemptsMade }) => {
    if (attemptsMade < 2) throw new Error("not yet");
    return attemptsMade;
  });
  const [done] = await jobs(worker, "completed", 1);
  assert.equal(done.returnvalue, 2);
  assert.equal(job.id, done.id);
});

test("failures for good", async () => {
  await queue.add("broken", {}, { attempts: 5 });
  const worker = work(async () => {
    throw new UnrecoverableError("never");
  });
  const [failed] = await jobs(worker, "failed", 1);
  assert.equal(failed.failedReason, "never");
  assert.equal(await queue.getFailedCount(), 1);
  await queue.retryJobs();
  await jobs(worker, "failed", 1);
});

test("parents wait for their children", async () => {
  const flows = open(new FlowProducer({ connection }));
  const children = Array.from({ length: 60 }, (_, n) => ({ name: "child", data: n, queueName: queue.name }));
  const parents = open(new Queue(`${queue.name}-parents`, { connection }));
  const { job } = await flows.add({ name: "parent", queueName: parents.name, data: {}, children });
  assert.equal(await job.getState(), "waiting-children");
  const page = await job.getDependencies({ unprocessed: { count: 50, cursor: 0 } });
  assert.ok(page.unprocessed.length >= 50);
  work(async ({ data }) => data, { concurrency: 10 });
  const parent = open(
    new Worker(parents.name, async (one) => Object.values(await one.getChildrenValues()).reduce((a, b) => a + b), {
      connection,
    }),
  );
  const [done] = await jobs(parent, "completed", 1);
  assert.equal(done.returnvalue, 1770);
});

test("schedulers repeat jobs", async () => {
  await queue.upsertJobScheduler("often", { every: 50 }, { name: "tick" });
  const worker = work(async () => {});
  const ticks = await jobs(worker, "completed", 3);
  assert.ok(ticks.every(({ name }) => name === "tick"));
  assert.equal((await queue.getJobSchedulers()).length, 1);
  assert.equal(await queue.removeJobScheduler("often"), true);
});

test("a limit on the rate", async () => {
  await queue.addBulk(Array.from({ length: 5 }, (_, n) => ({ name: "n", data: n })));
  const started = Date.now();
  const worker = work(async () => {}, { limiter: { max: 2, duration: 200 } });
  await jobs(worker, "completed", 5);
  assert.ok(Date.now() - started >= 380);
});

test("queues that pause", async () => {
  await queue.pause();
  await queue.add("waits", {});
  const worker = work(async () => {});
  await worker.waitUntilReady();
  assert.equal(await queue.isPaused(), true);
  assert.equal(await queue.count(), 1);
  const done = jobs(worker, "completed", 1);
  await queue.resume();
  await done;
});

test("duplicates are left out", async () => {
  const first = await queue.add("once", {}, { deduplication: { id: "same" } });
  const second = await queue.add("once", {}, { deduplication: { id: "same" } });
  assert.equal(first.id, second.id);
  const named = await queue.add("named", {}, { jobId: "mine" });
  assert.equal((await queue.add("named", {}, { jobId: "mine" })).id, named.id);
  assert.equal(await queue.count(), 2);
});

test("progress, logs and events", async () => {
  const listener = await events();
  const progress = jobs(listener, "progress", 1);
  const job = await queue.add("slow", {});
  work(async (one) => {
    await one.updateProgress(50);
    await one.log("half");
  });
  assert.equal((await progress)[0].data, 50);
  await job.waitUntilFinished(listener, 20000);
  assert.deepEqual((await queue.getJobLogs(job.id)).logs, ["half"]);
});

test("jobs whose worker is gone are taken up again", async () => {
  await queue.add("stalls", {});
  const gone = work(() => new Promise(() => {}), { lockDuration: 100, skipLockRenewal: true, skipStalledCheck: true });
  await jobs(gone, "active", 1);
  await gone.close(true);
  const worker = work(async () => "saved", { stalledInterval: 100, lockDuration: 1000 });
  const [done] = await jobs(worker, "completed", 1);
  assert.equal(done.returnvalue, "saved");
});

test("cleaning, draining and removing", async () => {
  await queue.addBulk(Array.from({ length: 10 }, (_, n) => ({ name: "n", data: n, opts: { delay: n % 2 ? 100000 : 0 } })));
  await queue.drain();
  assert.deepEqual(await queue.getJobCounts("waiting", "delayed"), { waiting: 0, delayed: 5 });
  assert.equal((await queue.clean(0, 100, "delayed")).length, 5);
  await queue.add("last", {});
  await queue.obliterate();
  assert.equal(await queue.count(), 0);
});
