(ns kermes.bench.ping
  "PINGs from Clojure for the benchmark ping1000: open, close, each, go-blocks, batch."
  (:require [clojure.core.async :refer [<! <!! go]]
            [kermes.redis :as redis]))

(set! *warn-on-reflection* true)

(defn open [url] (redis/connect url))

(defn close [client] (redis/close! client))

(defn- check [reply]
  (when-not (= "PONG" reply) (throw (ex-info "no PONG" {:reply reply}))))

(defn each
  "Sends n PINGs and reads each reply from its own channel."
  [client ^long n]
  (let [channels (object-array n)]
    (dotimes [i n] (aset channels i (redis/ping client)))
    (dotimes [i n] (check (<!! (aget channels i))))))

(defn go-blocks
  "Starts n go blocks that each wait for the reply to one PING, and waits for them."
  [client ^long n]
  (let [blocks (object-array n)]
    (dotimes [i n] (aset blocks i (go (<! (redis/ping client)))))
    (dotimes [i n] (check (<!! (aget blocks i))))))

(defn batch
  "Sends n PINGs as one batch, answered by one vector."
  [client ^long n]
  (run! check (<!! (redis/batch client (vec (repeat n [:ping]))))))
