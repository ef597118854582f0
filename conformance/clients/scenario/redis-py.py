"""The scenario of a cluster and of sentinels by redis-py; scenario.py says what it prints and reads."""

import json
import os
import sys
import threading
import time
from collections import Counter

import redis
from redis.cluster import ClusterNode, RedisCluster
from redis.sentinel import Sentinel

KEYS = 2000
LOAD_KEYS = 1000
THREADS = 4

CLUSTER = os.environ["DEPLOYMENT"] == "cluster"
ADDRESSES = [(host, int(port)) for host, port in (each.split(":") for each in os.environ["NODES"].split(","))]


def connect():
    if CLUSTER:
        return RedisCluster(startup_nodes=[ClusterNode(*each) for each in ADDRESSES], decode_responses=True)
    return Sentinel(ADDRESSES).master_for("mymaster", decode_responses=True)


client = connect()


def tell(**line):
    print(json.dumps(line), flush=True)


def step(name, body):
    try:
        tell(step=name, errors=body() or {})
    except Exception as e:
        tell(step=name, failure=f"{type(e).__name__}: {e}")


def expect(wanted, found):
    if wanted != found:
        raise AssertionError(f"wanted {wanted}, found {found}")


def keys():
    for i in range(KEYS):
        client.set(f"key{i}", f"value{i}")
    for i in range(KEYS):
        expect(f"value{i}", client.get(f"key{i}"))


def pipeline():
    batch = client.pipeline(transaction=False)
    for i in range(KEYS):
        batch.set(f"key{i}", f"other{i}")
    expect([True] * KEYS, batch.execute())
    for i in range(KEYS):
        expect(f"other{i}", client.get(f"key{i}"))


def transaction():
    for tag in "abcd":
        batch = client.pipeline(transaction=True)
        batch.set(f"{{{tag}}}text", "v")
        batch.incr(f"{{{tag}}}number")
        expect(1, batch.execute()[1])
        expect("v", client.get(f"{{{tag}}}text"))


def hear(receive, kind):
    """The next message of a kind."""
    end = time.monotonic() + 10
    while time.monotonic() < end:
        message = receive(timeout=1)
        if message and message["type"] == kind:
            return message.get("data")
    raise AssertionError(f"no {kind}")


def exchange(channel, publish, prefix=""):
    """One message, over a channel or, with the prefix s, over a shard channel."""
    subscription = client.pubsub()
    receive = subscription.get_sharded_message if prefix else subscription.get_message
    getattr(subscription, f"{prefix}subscribe")(channel)
    hear(receive, f"{prefix}subscribe")
    publish(channel, "one")
    expect("one", hear(receive, f"{prefix}message"))
    subscription.close()


def set_and_wait(key, value):
    """SET and WAIT on one connection; whether a replica has the write."""
    client.set(key, value)
    node = client.get_redis_connection(client.get_node_from_key(key)) if CLUSTER else client
    batch = node.pipeline(transaction=False)
    batch.set(key, value)
    batch.execute_command("WAIT", 1, 500)
    return batch.execute()[1] >= 1


def read(key):
    """GET, again and again for a while until the client has found the new master."""
    end = time.monotonic() + 30
    while True:
        try:
            return client.get(key)
        except redis.RedisError:
            if time.monotonic() > end:
                raise
            time.sleep(0.01)


class Load:
    """Threads that write rising numbers, each to keys of its own."""

    def __init__(self, waits):
        self.waits = waits
        self.acknowledged = [0] * LOAD_KEYS
        self.errors = Counter()
        self.writes = [0] * THREADS
        self.is_ending = False
        self.threads = [threading.Thread(target=self.run, args=(i,)) for i in range(THREADS)]
        for thread in self.threads:
            thread.start()

    def run(self, index):
        number = 0
        while not self.is_ending:
            number += 1
            for key in range(index, LOAD_KEYS, THREADS):
                if not self.is_ending:
                    self.write(index, key, number)

    def write(self, index, key, number):
        try:
            if set_and_wait(f"load{key}", number) if self.waits else client.set(f"load{key}", number):
                self.acknowledged[key] = number
                self.writes[index] += 1
        except redis.RedisError as e:
            self.errors[f"{type(e).__name__}: {e}"] += 1
            time.sleep(0.01)

    def more(self, count):
        """Waits for more acknowledged writes."""
        wanted, end = sum(self.writes) + count, time.monotonic() + 60
        while sum(self.writes) < wanted:
            if time.monotonic() > end:
                raise AssertionError(f"no more writes: {dict(self.errors)}")
            time.sleep(0.001)

    def stop(self):
        self.is_ending = True
        for thread in self.threads:
            thread.join()

    def check(self):
        for key, number in enumerate(self.acknowledged):
            found = int(read(f"load{key}") or 0)
            if found < number:
                raise AssertionError(f"lost: load{key} acknowledged {number}, found {found}")


def under_load(change, waits):
    client.delete(*(f"load{key}" for key in range(LOAD_KEYS)))
    load = Load(waits)
    try:
        load.more(400)
        tell(act=change)
        sys.stdin.readline()
        load.more(400)
    finally:
        load.stop()
    load.check()
    return load.errors


step("keys", keys)
step("pipeline", pipeline)
step("transaction", transaction)
step("messages", lambda: exchange("news", client.publish))
if CLUSTER:
    step("shard messages", lambda: exchange("orders", client.spublish, "s"))
    step("reshard", lambda: under_load("reshard", False))
step("failover", lambda: under_load("failover", False))
step("freeze", lambda: under_load("freeze", True))
step("kill", lambda: under_load("kill", True))
