(ns kermes.bench.ping
  "PINGs from Clojure for the benchmark ping1000: client, fixed-pool."
  (:require
   [clojure.core.async :refer [<! <!! go]]
   [kermes.redis :as redis])
  (:import
   (java.util.concurrent Executors ThreadFactory)))

(set! *warn-on-reflection* true)

(defn fixed-pool
  "An executor for core.async's property clojure.core.async.executor-factory: go blocks run on as many
  threads as there are processors, everything else as it would."
  [kind]
  (when (= :core-async-dispatch kind)
    (Executors/newFixedThreadPool
      (.availableProcessors (Runtime/getRuntime))
      (reify ThreadFactory
        (newThread [_ work] (doto (Thread. work "go-blocks") (.setDaemon true)))))))

(defn- check [reply]
  (when-not (= "PONG" reply) (throw (ex-info "no PONG" {:reply reply}))))

(defn- each
  "Sends n PINGs and reads each reply from its own channel."
  [client ^long n]
  (let [channels (object-array n)]
    (dotimes [i n] (aset channels i (redis/ping client)))
    (dotimes [i n] (check (<!! (aget channels i))))))

(defn- go-blocks
  "Starts n go blocks that each wait for the reply to one PING, and waits for them."
  [client ^long n]
  (let [blocks (object-array n)]
    (dotimes [i n] (aset blocks i (go (<! (redis/ping client)))))
    (dotimes [i n] (check (<!! (aget blocks i))))))

(defn- batch
  "Sends n PINGs as one batch, answered by one vector."
  [client ^long n]
  (run! check (<!! (redis/batch client (vec (repeat n [:ping]))))))

(defn client
  "Connects to a server; a map of the functions \"round\" and \"close\". `kind` is each, go-blocks or
  batch; a round is n PINGs. Has core.async look at its settings."
  [kind url n]
  (<!! (go :running))
  (let [round ({"each" each, "go-blocks" go-blocks, "batch" batch} kind)
        client (redis/connect url)]
    {"round" #(round client n), "close" #(redis/close! client)}))
