"""Stores and handles messages with Dramatiq for `./kermes bench events`; see EventProgram.java for the protocol."""

import os
import sys
import threading
import time

import dramatiq
from dramatiq.brokers.redis import RedisBroker

port, kind, members, total = int(sys.argv[1]), sys.argv[2], int(sys.argv[3]), int(sys.argv[5])

# Threads of each member that handle messages, Dramatiq's default.
HANDLERS = 8

# Threads that store messages; each waits for the server's confirmation.
WRITERS = 8

payload = "x" * 100
handled = 0
lock = threading.Lock()
changed = threading.Condition(lock)


def handle(_payload):
    global handled
    with lock:
        handled += 1
        if handled % 100 == 0:
            changed.notify_all()


def append(to, count):
    def write(share):
        for _ in range(share):
            to.send(payload)

    threads = [threading.Thread(target=write, args=(count // WRITERS + (i < count % WRITERS),)) for i in range(WRITERS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


def wait(count):
    with changed:
        while handled < count:
            changed.wait(0.001)


def run(queue, count, between):
    """Handles messages; returns the seconds and the processor time of the part that counts."""
    global handled
    handled = 0
    broker = RedisBroker(host="127.0.0.1", port=port)
    to = dramatiq.actor(handle, actor_name=queue, queue_name=queue, max_retries=0, broker=broker)
    worker = dramatiq.Worker(broker, worker_threads=HANDLERS * members)
    if kind == "BACKLOG":
        append(to, count)
    if kind == "BOTH":
        worker.start()
    between()
    began, cpu = time.monotonic(), time.process_time()
    if kind == "BACKLOG":
        worker.start()
    else:
        append(to, count)
    if kind != "APPEND":
        wait(count)
    result = time.monotonic() - began, time.process_time() - cpu
    if kind != "APPEND":
        worker.stop()
    return result


def ready():
    print("ready", flush=True)
    sys.stdin.readline()


run("warm", total // 10, lambda: None)
seconds, cpu_seconds = run("bench", total, ready)
print("done", seconds, cpu_seconds, flush=True)
sys.stdin.readline()
os._exit(0)
