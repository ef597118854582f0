(ns kermes.ping-benchmark
  "1,000 PINGs, each reply read from its own channel by <!!, against a bare socket.
  Run: (run port rounds)."
  (:require
   [clojure.core.async :refer [<!!]]
   [kermes.redis :as redis])
  (:import
   (java.net Socket)))

(set! *warn-on-reflection* true)

(def ^:private ^"[B" pings (.getBytes ^String (apply str (repeat 1000 "*1\r\n$4\r\nPING\r\n"))))

(defn- floor [^Socket socket]
  (let [in (.getInputStream socket)
        buffer (byte-array 8192)]
    (.write (.getOutputStream socket) pings)
    (loop [read 0] (when (< read 7000) (recur (+ read (.read in buffer)))))))

(defn- each-channel [c]
  (let [chs (object-array 1000)]
    (dotimes [i 1000] (aset chs i (redis/ping c)))
    (dotimes [i 1000]
      (when-not (= "PONG" (<!! (aget chs i))) (throw (IllegalStateException. "no PONG"))))))

(defn- one-batch [c commands]
  (when-not (= 1000 (count (<!! (redis/batch c commands)))) (throw (IllegalStateException.))))

(defn- median ^double [nanos] (nth (sort nanos) (quot (count nanos) 2)))

(defmacro ^:private nanos [form]
  `(let [start# (System/nanoTime)] ~form (- (System/nanoTime) start#)))

(defn run [port rounds]
  (let [c (redis/connect (str "redis://localhost:" port))
        commands (vec (repeat 1000 [:ping]))
        round (fn [socket] [(nanos (floor socket)) (nanos (each-channel c))
                            (nanos (one-batch c commands))])]
    (with-open [socket (Socket. "localhost" (int port))]
      (.setTcpNoDelay socket true)
      (dotimes [_ rounds] (round socket))
      (let [rows (vec (repeatedly rounds #(round socket)))
            [f e b] (map (fn [i] (median (map #(nth % i) rows))) (range 3))]
        (printf "floor %.0f us, each channel %.0f us (ratio %.2f), batch %.0f us (ratio %.2f)%n"
                (/ f 1e3) (/ e 1e3) (/ e f) (/ b 1e3) (/ b f))
        (flush)))
    (redis/close! c)))
