"""redis-py against a running server: smoke.py HOST PORT. Exits with status 1 at the first surprise."""

import sys
import threading
import time

import redis

HOST, PORT = sys.argv[1], int(sys.argv[2])


def check(what, actual, expected):
    if actual != expected:
        sys.exit(f"{what}: expected {expected!r}, got {actual!r}")


def strings(r):
    check("set", r.set("s", "v"), True)
    check("set nx", r.set("s", "w", nx=True), None)
    check("get", r.get("s"), "v")
    check("getset", r.set("s", "w", get=True), "v")
    check("append", r.append("s", "xyz"), 4)
    check("getrange", r.getrange("s", 1, -1), "xyz")
    check("incr", r.incr("n", 41), 41)
    check("incrbyfloat", r.incrbyfloat("n", 1.5), 42.5)
    check("mset", r.mset({"a": 1, "b": 2}), True)
    check("mget", r.mget("a", "b", "missing"), ["1", "2", None])
    check("binary", r.set("bin", bytes(range(256))), True)
    check("strlen", r.strlen("bin"), 256)
    check("setbit", r.setbit("bits", 7, 1), 0)
    check("bitcount", r.bitcount("bits"), 1)


def hashes(r):
    check("hset", r.hset("h", mapping={"f": "1", "g": "2"}), 2)
    check("hgetall", r.hgetall("h"), {"f": "1", "g": "2"})
    check("hincrby", r.hincrby("h", "f", 4), 5)
    check("hmget", r.hmget("h", "f", "none"), ["5", None])
    check("hdel", r.hdel("h", "g"), 1)


def lists(r):
    check("rpush", r.rpush("l", "a", "b", "c"), 3)
    check("lrange", r.lrange("l", 0, -1), ["a", "b", "c"])
    check("lmove", r.lmove("l", "l2", "LEFT", "RIGHT"), "a")
    check("lpos", r.lpos("l", "c"), 1)
    check("lpop", r.lpop("l", 5), ["b", "c"])


def sets(r):
    check("sadd", r.sadd("x", "a", "b", "c"), 3)
    check("sadd", r.sadd("y", "b", "c", "d"), 3)
    check("sinter", r.sinter("x", "y"), {"b", "c"})
    check("smismember", [bool(i) for i in r.smismember("x", ["a", "z"])], [True, False])
    check("sdiffstore", r.sdiffstore("x-y", "x", "y"), 1)


def sorted_sets(r):
    check("zadd", r.zadd("z", {"a": 1, "b": 2.5, "c": 3}), 3)
    pairs = r.zrange("z", 0, -1, withscores=True)
    check("zrange", [tuple(p) for p in pairs], [("a", 1.0), ("b", 2.5), ("c", 3.0)])
    check("zincrby", r.zincrby("z", 10, "a"), 11.0)
    check("zrank", r.zrank("z", "a"), 2)
    check("zrangebyscore", r.zrangebyscore("z", "(2.5", "+inf"), ["c", "a"])
    check("zscore of none", r.zscore("z", "none"), None)


def expiry(r):
    check("set px", r.set("e", "v", px=60), True)
    check("pttl", 0 < r.pttl("e") <= 60, True)
    check("ttl without", r.ttl("s"), -1)
    deadline = time.monotonic() + 5
    while r.exists("e") and time.monotonic() < deadline:
        time.sleep(0.01)
    check("expired", r.get("e"), None)
    check("ttl of none", r.ttl("e"), -2)


def pipelines(r):
    with r.pipeline(transaction=False) as p:
        for i in range(1000):
            p.incr("counter")
        p.lpush("counter", "wrong type")
        replies = p.execute(raise_on_error=False)
    check("pipeline", replies[:1000], list(range(1, 1001)))
    check("error in pipeline", isinstance(replies[1000], redis.ResponseError), True)


def transactions(r):
    with r.pipeline() as p:
        p.watch("w")
        p.multi()
        p.set("w", "mine")
        p.get("w")
        check("exec", p.execute(), [True, "mine"])
    with r.pipeline() as p:
        p.watch("w")
        r.set("w", "another")
        p.multi()
        p.set("w", "mine")
        try:
            p.execute()
            sys.exit("exec: the watched key changed and it still ran")
        except redis.WatchError:
            pass
    check("after watch", r.get("w"), "another")


def pubsub(r):
    with r.pubsub(ignore_subscribe_messages=True) as p:
        p.subscribe("news")
        p.psubscribe("n*")
        deadline = time.monotonic() + 5
        while r.publish("news", "hello") < 2 and time.monotonic() < deadline:
            pass
        kinds = set()
        while len(kinds) < 2 and time.monotonic() < deadline:
            message = p.get_message(timeout=1)
            if message:
                check("message", message["data"], "hello")
                kinds.add(message["type"])
        check("kinds of messages", kinds, {"message", "pmessage"})


def blocking(r):
    pusher = threading.Thread(target=lambda: r.rpush("q", "job"))
    pusher.start()
    check("blpop", list(r.blpop(["none", "q"], timeout=5)), ["q", "job"])
    pusher.join()
    check("blpop, in vain", r.blpop("none", timeout=0.05), None)


def scan(r):
    r.mset({f"scan:{i}": i for i in range(500)})
    check("scan", len(set(r.scan_iter("scan:*", count=50))), 500)
    r.hset("scan", mapping={str(i): i for i in range(500)})
    check("hscan", len(dict(r.hscan_iter("scan"))), 500)


def connection_and_server(r):
    check("wrong type", error(lambda: r.lpush("s", "a")), "WRONGTYPE")
    check("client name", r.client_setname("smoke"), True)
    check("client name", r.client_getname(), "smoke")
    check("config", r.config_get("maxclients")["maxclients"], "10000")
    check("info", r.info("server")["redis_version"] != "", True)
    check("object", r.object("encoding", "n"), "embstr")


def error(call):
    try:
        call()
    except redis.ResponseError as e:
        return str(e).split()[0]
    return None


def main():
    for protocol in (2, 3):
        # redis-py keeps its own connection pool; database 9 is ours.
        r = redis.Redis(HOST, PORT, db=9, protocol=protocol, decode_responses=True)
        raw = redis.Redis(HOST, PORT, db=9, protocol=protocol)
        r.flushdb()
        strings(r)
        check("bytes", raw.get("bin"), bytes(range(256)))
        for part in (
            hashes, lists, sets, sorted_sets, expiry, pipelines,
            transactions, pubsub, blocking, scan, connection_and_server,
        ):
            part(r)
        r.flushdb()
        r.close()
        raw.close()
    print(f"redis-py {redis.__version__}, RESP2 and RESP3")


main()
