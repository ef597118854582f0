// Stores and handles jobs with BullMQ for `./kermes bench events`; see EventProgram.java for the protocol.

const { Queue, Worker } = require("bullmq");

const [port, kind, members, , count] = process.argv.slice(2);
const connection = { host: "127.0.0.1", port: Number(port) };
const total = Number(count);
const payload = "x".repeat(100);

// As many jobs may be unconfirmed as in EventsBenchmark.
const UNCONFIRMED_MAX = 1000;

// A job of the same size as an event, which leaves nothing behind.
const OPTIONS = { removeOnComplete: true };

function open(name) {
  const queue = new Queue(name, { connection });
  let handled = 0;
  let resolve;
  const all = new Promise((done) => (resolve = done));
  const workers = [];
  return {
    async append(jobs) {
      let next = 0;
      const one = async () => {
        while (next < jobs) {
          next++;
          await queue.add("event", { payload }, OPTIONS);
        }
      };
      await Promise.all(Array.from({ length: UNCONFIRMED_MAX }, one));
    },
    async join(jobs) {
      const handle = async () => {
        if (++handled === jobs) resolve();
      };
      for (let i = 0; i < Number(members); i++) {
        const worker = new Worker(name, handle, { connection, concurrency: 100 });
        worker.on("error", () => {});
        workers.push(worker);
        await worker.waitUntilReady();
      }
    },
    handled: () => all,
    async close() {
      await Promise.all(workers.map((worker) => worker.close()));
      await queue.close();
    },
  };
}

async function before(log, jobs) {
  if (kind === "BACKLOG") await log.append(jobs);
  if (kind === "BOTH") await log.join(jobs);
}

async function measured(log, jobs) {
  if (kind === "BACKLOG") await log.join(jobs);
  else await log.append(jobs);
  if (kind !== "APPEND") await log.handled();
}

async function main() {
  const first = open("warm");
  await before(first, Math.ceil(total / 10));
  await measured(first, Math.ceil(total / 10));
  await first.close();

  const log = open("bench");
  await before(log, total);
  console.log("ready");
  await new Promise((resolve) => process.stdin.once("data", resolve));
  const cpu = process.cpuUsage();
  const began = process.hrtime.bigint();
  await measured(log, total);
  const seconds = Number(process.hrtime.bigint() - began) / 1e9;
  const used = process.cpuUsage(cpu);
  console.log(`done ${seconds} ${(used.user + used.system) / 1e6}`);
  await new Promise((resolve) => process.stdin.once("data", resolve));
  process.exit(0);
}

main().catch((error) => {
  console.error(error);
  process.exit(1);
});
