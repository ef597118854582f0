(ns kermes.redis.subscription-test
  (:require
   [clojure.core.async :as a :refer [<! <!! alts!! go]]
   [clojure.test :refer [deftest is testing use-fixtures]]
   [kermes.redis :as redis :refer [<??]]
   [kermes.servers :refer [*client* *resp* *url* await-true on-both-servers]]))

(set! *warn-on-reflection* true)

(use-fixtures :once on-both-servers)

(defn- next-of
  "The next value of a channel, or :late."
  [ch]
  (let [[v port] (alts!! [ch (a/timeout 10000)])]
    (if (= port ch) v :late)))

(defn- listeners [channel]
  (get (<?? (redis/pubsub-numsub *client* channel)) channel))

(deftest events-in-order
  (let [sub (redis/subscribe *client* ["news" "sport"])]
    (is (= sub (<?? (redis/confirmed sub))))
    (is (= #{{:event :confirmed :channel "news"} {:event :confirmed :channel "sport"}}
           (set [(next-of sub) (next-of sub)])))
    (is (= 1 (<?? (redis/publish *client* "news" "n"))))
    (is (= 1 (<?? (redis/publish *client* "sport" "s"))))
    (is (= [{:event :message :channel "news" :payload "n"}
            {:event :message :channel "sport" :payload "s"}]
           [(next-of sub) (next-of sub)]))
    (redis/unsubscribe sub)
    (redis/unsubscribe sub)
    (is (nil? (next-of sub)) "unsubscribing closes, twice as well as once")
    (await-true #(= 0 (listeners "news")))))

(deftest patterns-and-shards
  (let [p (redis/psubscribe *client* "n.*" {:xf (filter :payload)})
        s (redis/ssubscribe *client* "shard" {:xf redis/payloads})]
    (run! #(<?? (redis/confirmed %)) [p s])
    (<?? (redis/publish *client* "n.1" "x"))
    (<?? (redis/spublish *client* "shard" "y"))
    (is (= {:event :message :pattern "n.*" :channel "n.1" :payload "x"} (next-of p)))
    (is (= "y" (next-of s)))
    (redis/punsubscribe p)
    (redis/sunsubscribe s)))

(deftest monitor-is-a-channel-of-lines
  (let [lines (redis/monitor *client* {:xf (comp redis/payloads (filter #(re-find #"seen" %)))})]
    (<?? (redis/confirmed lines))
    (<?? (redis/set *client* "seen" "a b"))
    (is (re-find #"\"SET\" \"seen\" \"a b\"$" (next-of lines)))
    (redis/unsubscribe lines)
    (is (nil? (next-of lines)))))

(deftest many-subscriptions-to-one-channel
  (let [subs (vec (repeatedly 3 #(redis/subscribe *client* :same {:xf redis/payloads})))]
    (run! #(<?? (redis/confirmed %)) subs)
    (<?? (redis/publish *client* :same 1))
    (is (= ["1" "1" "1"] (mapv next-of subs)))
    (redis/unsubscribe (first subs))
    (<?? (redis/publish *client* :same 2))
    (is (= [nil "2" "2"] (mapv next-of subs)))
    (run! redis/unsubscribe subs)))

(deftest transducer-that-terminates-early-ends-the-subscription
  (let [sub (redis/subscribe *client* "few" {:xf (comp redis/payloads (map parse-long) (take 2))})]
    (<?? (redis/confirmed sub))
    (dotimes [i 5] (<?? (redis/publish *client* "few" i)))
    (is (= [0 1] (<!! (a/into [] sub))))
    (await-true #(= 0 (listeners "few")))))

(deftest transducer-that-throws-goes-to-its-handler
  (let [sub (redis/subscribe *client* "bad" {:xf (comp redis/payloads (map #(Long/parseLong %)))
                                             :ex-handler (fn [e] [:failed (class e)])})]
    (<?? (redis/confirmed sub))
    (<?? (redis/publish *client* "bad" "x"))
    (<?? (redis/publish *client* "bad" "7"))
    (is (= [[:failed NumberFormatException] 7] [(next-of sub) (next-of sub)]))
    (a/close! sub)))

(deftest works-with-functions-that-take-channels
  (let [sub (redis/subscribe *client* "tools" {:xf redis/payloads})
        out (a/chan 10)]
    (<?? (redis/confirmed sub))
    (a/pipeline 2 out (map #(str % "!")) sub)
    (dotimes [i 3] (<?? (redis/publish *client* "tools" i)))
    (is (= ["0!" "1!" "2!"] [(next-of out) (next-of out) (next-of out)]))
    (is (nil? (a/poll! sub)))
    (is (= :none (<!! (go (let [[v port] (a/alts! [sub] :default :none)] v)))))
    (redis/unsubscribe sub)
    (is (nil? (next-of out)) "the end goes through the pipeline")))

(deftest waiting-messages-are-available-at-once
  (let [moved (atom 0)
        sub (redis/subscribe *client* "ready" {:xf (comp redis/payloads
                                                         (map #(do (swap! moved inc) %)))})]
    (<?? (redis/confirmed sub))
    (dotimes [i 6] (<?? (redis/publish *client* "ready" i)))
    (await-true #(= 6 @moved))
    (is (= ["0" "1" "2" "3" "4"] (vec (repeatedly 5 #(a/poll! sub)))))
    (is (= ["5" sub] (alts!! [sub] :default :none)))
    (is (nil? (a/poll! sub)))
    (redis/unsubscribe sub)))

(defn- publish-many [channel n]
  (doseq [part (partition-all 500 (range n))]
    (<?? (redis/batch *client* (mapv #(vector :publish channel %) part)))))

(defn- events-until
  "The next events up to and including the first one that fits."
  [fits? sub]
  (loop [events []]
    (let [e (next-of sub)]
      (if (or (= :late e) (fits? e)) (conj events e) (recur (conj events e))))))

(deftest slow-reader-loses-events-by-its-policy-and-gets-a-report
  (doseq [policy [:drop-oldest :drop-newest]]
    (testing policy
      (let [sub (redis/subscribe *client* "flood" {:buffer 10 :overflow policy})]
        (<?? (redis/confirmed sub))
        (publish-many "flood" 3000)
        (let [events (into (events-until :count sub)
                           (when (= :drop-oldest policy)
                             (events-until (comp #{"2999"} :payload) sub)))
              kept (map parse-long (keep :payload events))]
          (is (pos? (:count (first (filter :count events)))))
          (is (= kept (sort kept)) "what is left is in order")
          (is (if (= :drop-oldest policy)
                (= 3000 (apply + (count kept) (keep :count events)))
                (= 0 (first kept)))))
        (redis/unsubscribe sub)))
    (is (= "PONG" (<?? (redis/ping *client*))) "the client itself is not affected")))

(deftest slow-reader-may-be-closed
  (let [sub (redis/subscribe *client* "closing" {:buffer 10 :overflow :close})]
    (<?? (redis/confirmed sub))
    (publish-many "closing" 1000)
    (let [events (<!! (a/into [] sub))]
      (is (= :lost (:event (peek events))))
      (is (= :queue-full (::redis/error (ex-data (:cause (peek events)))))))))

(deftest lost-and-resumed-are-events
  (let [c (redis/connect *url* {:resp *resp*})
        sub (redis/subscribe c "lossy" {:xf (remove (comp #{:confirmed} :event))})]
    (<?? (redis/confirmed sub))
    (<?? (redis/client-kill *client* {:type :pubsub}))
    (let [lost (next-of sub)]
      (is (= :lost (:event lost)))
      (is (= :connection-lost (::redis/error (ex-data (:cause lost))))))
    (is (= {:event :resumed} (next-of sub)))
    (<?? (redis/publish *client* "lossy" "after"))
    (is (= "after" (:payload (next-of sub))))
    (redis/close! c)
    (is (nil? (next-of sub)) "the client's end is the channel's")))

(deftest reader-that-closes-during-a-put
  (let [sub (redis/subscribe *client* "leaver")
        taken (go (loop [n 0] (if (< n 100) (do (<! sub) (recur (inc n))) (a/close! sub))))]
    (<?? (redis/confirmed sub))
    (publish-many "leaver" 500)
    (is (nil? (next-of taken)))
    (await-true #(= 0 (listeners "leaver")))))
