// Command go-redis uses go-redis against a running server: go-redis HOST PORT.
// It exits with status 1 at the first surprise.
package main

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"reflect"
	"sort"
	"time"

	"github.com/redis/go-redis/v9"
)

var ctx = context.Background()

func check(what string, actual, expected any) {
	if !reflect.DeepEqual(actual, expected) {
		fail("%s: expected %#v, got %#v", what, expected, actual)
	}
}

func fail(format string, args ...any) {
	fmt.Fprintf(os.Stderr, format+"\n", args...)
	os.Exit(1)
}

// must gives the value of a command that may not fail.
func must[T any](value T, err error) T {
	if err != nil {
		panic(err)
	}
	return value
}

func strings(r *redis.Client) {
	check("set", must(r.Set(ctx, "s", "v", 0).Result()), "OK")
	check("setnx", must(r.SetNX(ctx, "s", "w", 0).Result()), false)
	check("get", must(r.Get(ctx, "s").Result()), "v")
	check("append", must(r.Append(ctx, "s", "xyz").Result()), int64(4))
	check("incrby", must(r.IncrBy(ctx, "n", 41).Result()), int64(41))
	check("incrbyfloat", must(r.IncrByFloat(ctx, "n", 1.5).Result()), 42.5)
	must(r.MSet(ctx, "a", 1, "b", 2).Result())
	check("mget", must(r.MGet(ctx, "a", "b", "missing").Result()), []any{"1", "2", nil})
	_, err := r.Get(ctx, "missing").Result()
	check("get of none", err, redis.Nil)
	if err := r.LPush(ctx, "s", "a").Err(); err == nil {
		fail("lpush on a string did not fail")
	}
}

func collections(r *redis.Client) {
	check("hset", must(r.HSet(ctx, "h", "f", "1", "g", "2").Result()), int64(2))
	check("hgetall", must(r.HGetAll(ctx, "h").Result()), map[string]string{"f": "1", "g": "2"})
	check("rpush", must(r.RPush(ctx, "l", "a", "b", "c").Result()), int64(3))
	check("lrange", must(r.LRange(ctx, "l", 0, -1).Result()), []string{"a", "b", "c"})
	check("lmove", must(r.LMove(ctx, "l", "l2", "LEFT", "RIGHT").Result()), "a")
	must(r.SAdd(ctx, "x", "a", "b", "c").Result())
	must(r.SAdd(ctx, "y", "b", "c", "d").Result())
	inter := must(r.SInter(ctx, "x", "y").Result())
	sort.Strings(inter)
	check("sinter", inter, []string{"b", "c"})
	must(r.ZAdd(ctx, "z", redis.Z{Score: 1, Member: "a"}, redis.Z{Score: 2.5, Member: "b"}).Result())
	check("zrange", must(r.ZRangeWithScores(ctx, "z", 0, -1).Result()),
		[]redis.Z{{Score: 1, Member: "a"}, {Score: 2.5, Member: "b"}})
	check("zincrby", must(r.ZIncrBy(ctx, "z", 10, "a").Result()), 11.0)
	check("zrank", must(r.ZRank(ctx, "z", "a").Result()), int64(1))
}

func expiry(r *redis.Client) {
	must(r.Set(ctx, "e", "v", 60*time.Millisecond).Result())
	if ttl := must(r.PTTL(ctx, "e").Result()); ttl > 60*time.Millisecond {
		fail("pttl: %v", ttl)
	}
	for deadline := time.Now().Add(5 * time.Second); time.Now().Before(deadline); {
		if must(r.Exists(ctx, "e").Result()) == 0 {
			break
		}
		time.Sleep(10 * time.Millisecond)
	}
	check("expired", r.Get(ctx, "e").Err(), redis.Nil)
}

func pipelines(r *redis.Client) {
	pipe := r.Pipeline()
	var last *redis.IntCmd
	for range 1000 {
		last = pipe.Incr(ctx, "counter")
	}
	must(pipe.Exec(ctx))
	check("pipeline", last.Val(), int64(1000))
}

func transactions(r *redis.Client) {
	set := func(disturb bool) error {
		return r.Watch(ctx, func(tx *redis.Tx) error {
			if disturb {
				must(r.Set(ctx, "w", "another", 0).Result())
			}
			_, err := tx.TxPipelined(ctx, func(pipe redis.Pipeliner) error {
				pipe.Set(ctx, "w", "mine", 0)
				return nil
			})
			return err
		}, "w")
	}
	check("exec", set(false), nil)
	check("watch", errors.Is(set(true), redis.TxFailedErr), true)
	check("after watch", must(r.Get(ctx, "w").Result()), "another")
}

func pubsub(r *redis.Client) {
	s := r.Subscribe(ctx, "news")
	defer s.Close()
	must(s.Receive(ctx))
	check("publish", must(r.Publish(ctx, "news", "hello").Result()), int64(1))
	select {
	case m := <-s.Channel():
		check("message", []string{m.Channel, m.Payload}, []string{"news", "hello"})
	case <-time.After(5 * time.Second):
		fail("no message")
	}
}

func blocking(r *redis.Client) {
	go func() { r.RPush(ctx, "q", "job") }()
	check("blpop", must(r.BLPop(ctx, 5*time.Second, "none", "q").Result()), []string{"q", "job"})
	check("blpop, in vain", r.BLPop(ctx, time.Second, "none").Err(), redis.Nil)
}

func scan(r *redis.Client) {
	for i := range 500 {
		must(r.Set(ctx, fmt.Sprintf("scan:%d", i), i, 0).Result())
	}
	found := map[string]bool{}
	for it := r.Scan(ctx, 0, "scan:*", 50).Iterator(); it.Next(ctx); {
		found[it.Val()] = true
	}
	check("scan", len(found), 500)
}

func main() {
	for _, protocol := range []int{2, 3} {
		r := redis.NewClient(&redis.Options{
			Addr: net.JoinHostPort(os.Args[1], os.Args[2]), DB: 11, Protocol: protocol,
		})
		must(r.FlushDB(ctx).Result())
		strings(r)
		collections(r)
		expiry(r)
		pipelines(r)
		transactions(r)
		pubsub(r)
		blocking(r)
		scan(r)
		must(r.FlushDB(ctx).Result())
		r.Close()
	}
	fmt.Printf("go-redis %s, RESP2 and RESP3\n", redis.Version())
}
