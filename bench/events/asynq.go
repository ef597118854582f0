// Stores and handles tasks with asynq for `./kermes bench events`; see EventProgram.java for the protocol.
package main

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/hibiken/asynq"
)

// One connection carries one command at a time, so this many tasks are unconfirmed.
const connections = 100

type taskLog struct {
	redis   asynq.RedisClientOpt
	queue   string
	members int
	handled atomic.Int64
	servers []*asynq.Server
}

func (log *taskLog) append(tasks int) {
	client := asynq.NewClient(log.redis)
	defer client.Close()
	payload := []byte(strings.Repeat("x", 100))
	var next atomic.Int64
	var all sync.WaitGroup
	for range connections {
		all.Go(func() {
			for next.Add(1) <= int64(tasks) {
				_, err := client.Enqueue(asynq.NewTask("event", payload), asynq.Queue(log.queue))
				check(err)
			}
		})
	}
	all.Wait()
}

func (log *taskLog) join() {
	handler := asynq.HandlerFunc(func(context.Context, *asynq.Task) error {
		log.handled.Add(1)
		return nil
	})
	for range log.members {
		server := asynq.NewServer(log.redis, asynq.Config{
			Concurrency: connections, Queues: map[string]int{log.queue: 1}, LogLevel: asynq.FatalLevel,
		})
		check(server.Start(handler))
		log.servers = append(log.servers, server)
	}
}

func (log *taskLog) await(tasks int) {
	for log.handled.Load() < int64(tasks) {
		time.Sleep(100 * time.Microsecond)
	}
}

func (log *taskLog) before(kind string, tasks int) {
	switch kind {
	case "BACKLOG":
		log.append(tasks)
	case "BOTH":
		log.join()
	}
}

func (log *taskLog) measured(kind string, tasks int) {
	if kind == "BACKLOG" {
		log.join()
	} else {
		log.append(tasks)
	}
	if kind != "APPEND" {
		log.await(tasks)
	}
}

func (log *taskLog) close() {
	for _, server := range log.servers {
		server.Shutdown()
	}
}

func check(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func cpuSeconds() float64 {
	var used syscall.Rusage
	check(syscall.Getrusage(syscall.RUSAGE_SELF, &used))
	return time.Duration(used.Utime.Nano() + used.Stime.Nano()).Seconds()
}

func main() {
	kind := os.Args[2]
	members, err := strconv.Atoi(os.Args[3])
	check(err)
	total, err := strconv.Atoi(os.Args[5])
	check(err)
	redis := asynq.RedisClientOpt{Addr: "127.0.0.1:" + os.Args[1], PoolSize: connections}

	first := &taskLog{redis: redis, queue: "warm", members: members}
	first.before(kind, total/10)
	first.measured(kind, total/10)
	first.close()

	log := &taskLog{redis: redis, queue: "bench", members: members}
	log.before(kind, total)
	fmt.Println("ready")
	input := bufio.NewReader(os.Stdin)
	_, _ = input.ReadString('\n')
	cpu := cpuSeconds()
	began := time.Now()
	log.measured(kind, total)
	fmt.Println("done", time.Since(began).Seconds(), cpuSeconds()-cpu)
	_, _ = input.ReadString('\n')
	os.Exit(0)
}
