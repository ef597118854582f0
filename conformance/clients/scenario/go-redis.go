// The scenario of a cluster and of sentinels by go-redis; scenario.py says what it prints and reads.
package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/redis/go-redis/v9"
)

const (
	keyCount     = 2000
	loadKeyCount = 1000
	writerCount  = 4
)

var (
	ctx       = context.Background()
	addresses = strings.Split(os.Getenv("NODES"), ",")
	answers   = bufio.NewReader(os.Stdin)
	cluster   *redis.ClusterClient // nil with sentinels
	client    redis.UniversalClient
)

func tell(line map[string]any) {
	text, _ := json.Marshal(line)
	fmt.Println(string(text))
}

func step(name string, body func() (map[string]int, error)) {
	met, err := body()
	if err != nil {
		tell(map[string]any{"step": name, "failure": err.Error()})
		return
	}
	if met == nil {
		met = map[string]int{}
	}
	tell(map[string]any{"step": name, "errors": met})
}

func checked(body func() error) func() (map[string]int, error) {
	return func() (map[string]int, error) { return nil, body() }
}

func expect(key, wanted string) error {
	found, err := client.Get(ctx, key).Result()
	if err == nil && found != wanted {
		err = fmt.Errorf("%s: wanted %s, found %s", key, wanted, found)
	}
	return err
}

func expectAll(prefix string) error {
	for i := range keyCount {
		if err := expect(fmt.Sprint("key", i), fmt.Sprint(prefix, i)); err != nil {
			return err
		}
	}
	return nil
}

func keys() error {
	for i := range keyCount {
		if err := client.Set(ctx, fmt.Sprint("key", i), fmt.Sprint("value", i), 0).Err(); err != nil {
			return err
		}
	}
	return expectAll("value")
}

func pipeline() error {
	_, err := client.Pipelined(ctx, func(batch redis.Pipeliner) error {
		for i := range keyCount {
			batch.Set(ctx, fmt.Sprint("key", i), fmt.Sprint("other", i), 0)
		}
		return nil
	})
	return errors.Join(err, expectAll("other"))
}

func transaction() error {
	for _, tag := range []string{"a", "b", "c", "d"} {
		var number *redis.IntCmd
		_, err := client.TxPipelined(ctx, func(batch redis.Pipeliner) error {
			batch.Set(ctx, "{"+tag+"}text", "v", 0)
			number = batch.Incr(ctx, "{"+tag+"}number")
			return nil
		})
		if err != nil {
			return err
		}
		if number.Val() != 1 {
			return fmt.Errorf("wanted 1, found %d", number.Val())
		}
		if err := expect("{"+tag+"}text", "v"); err != nil {
			return err
		}
	}
	return nil
}

// hear publishes a message when a subscription stands, and checks that it arrives.
func hear(subscription *redis.PubSub, publish func() error) error {
	defer subscription.Close()
	if _, err := subscription.Receive(ctx); err != nil {
		return err
	}
	if err := publish(); err != nil {
		return err
	}
	deadline, cancel := context.WithTimeout(ctx, 10*time.Second)
	defer cancel()
	message, err := subscription.ReceiveMessage(deadline)
	if err == nil && message.Payload != "one" {
		err = fmt.Errorf("wanted one, found %s", message.Payload)
	}
	return err
}

func messages() error {
	return hear(client.Subscribe(ctx, "news"), func() error { return client.Publish(ctx, "news", "one").Err() })
}

func shardMessages() error {
	return hear(client.SSubscribe(ctx, "orders"), func() error { return client.SPublish(ctx, "orders", "one").Err() })
}

func set(key string, number int) (bool, error) {
	return true, client.Set(ctx, key, number, 0).Err()
}

// setAndWait sends SET and WAIT on one connection; it tells whether a replica has the write.
func setAndWait(key string, number int) (bool, error) {
	var node redis.Cmdable = client
	if cluster != nil {
		// This learns of a new master, which the client of one node does not.
		if _, err := set(key, number); err != nil {
			return false, err
		}
		master, err := cluster.MasterForKey(ctx, key)
		if err != nil {
			return false, err
		}
		node = master
	}
	var replicas *redis.Cmd
	_, err := node.Pipelined(ctx, func(batch redis.Pipeliner) error {
		batch.Set(ctx, key, number, 0)
		replicas = batch.Do(ctx, "WAIT", 1, 500)
		return nil
	})
	if err != nil {
		return false, err
	}
	count, err := replicas.Int()
	return count >= 1, err
}

// load is a number of writers of rising numbers, each to keys of its own.
type load struct {
	write        func(key string, number int) (bool, error)
	acknowledged [loadKeyCount]int
	writes       atomic.Int64
	isEnding     atomic.Bool
	running      sync.WaitGroup
	lock         sync.Mutex
	errors       map[string]int
}

func (l *load) run(index int) {
	defer l.running.Done()
	for number := 1; !l.isEnding.Load(); number++ {
		for key := index; key < loadKeyCount && !l.isEnding.Load(); key += writerCount {
			isAcknowledged, err := l.write(fmt.Sprint("load", key), number)
			if err != nil {
				l.lock.Lock()
				l.errors[err.Error()]++
				l.lock.Unlock()
				time.Sleep(10 * time.Millisecond)
			} else if isAcknowledged {
				l.acknowledged[key] = number
				l.writes.Add(1)
			}
		}
	}
}

// more waits for more acknowledged writes.
func (l *load) more(count int64) error {
	wanted, end := l.writes.Load()+count, time.Now().Add(time.Minute)
	for l.writes.Load() < wanted {
		if time.Now().After(end) {
			return errors.New("no more writes")
		}
		time.Sleep(time.Millisecond)
	}
	return nil
}

func (l *load) change(name string) error {
	if err := l.more(400); err != nil {
		return err
	}
	tell(map[string]any{"act": name})
	if _, err := answers.ReadString('\n'); err != nil {
		return err
	}
	return l.more(400)
}

// read is GET, again and again for a while until the client has found the new master.
func read(key string) (string, error) {
	end := time.Now().Add(30 * time.Second)
	for {
		text, err := client.Get(ctx, key).Result()
		if err == nil || err == redis.Nil {
			return text, nil
		}
		if time.Now().After(end) {
			return "", err
		}
		time.Sleep(10 * time.Millisecond)
	}
}

func (l *load) check() error {
	for key, number := range l.acknowledged {
		text, err := read(fmt.Sprint("load", key))
		if err != nil {
			return err
		}
		if found, _ := strconv.Atoi(text); found < number {
			return fmt.Errorf("lost: load%d acknowledged %d, found %d", key, number, found)
		}
	}
	return nil
}

func underLoad(change string, write func(string, int) (bool, error)) func() (map[string]int, error) {
	return func() (map[string]int, error) {
		for key := range loadKeyCount {
			client.Del(ctx, fmt.Sprint("load", key))
		}
		l := &load{write: write, errors: map[string]int{}}
		l.running.Add(writerCount)
		for i := range writerCount {
			go l.run(i)
		}
		err := l.change(change)
		l.isEnding.Store(true)
		l.running.Wait()
		if err != nil {
			return nil, fmt.Errorf("%w: %v", err, l.errors)
		}
		return l.errors, l.check()
	}
}

func main() {
	if os.Getenv("DEPLOYMENT") == "cluster" {
		// A refused connection does not make the client ask for the new master; by default it asks every minute.
		cluster = redis.NewClusterClient(&redis.ClusterOptions{Addrs: addresses, ClusterStateReloadInterval: time.Second})
		client = cluster
	} else {
		client = redis.NewFailoverClient(&redis.FailoverOptions{MasterName: "mymaster", SentinelAddrs: addresses})
	}
	step("keys", checked(keys))
	step("pipeline", checked(pipeline))
	step("transaction", checked(transaction))
	step("messages", checked(messages))
	if cluster != nil {
		step("shard messages", checked(shardMessages))
		step("reshard", underLoad("reshard", set))
	}
	step("failover", underLoad("failover", set))
	step("freeze", underLoad("freeze", setAndWait))
	step("kill", underLoad("kill", setAndWait))
}
