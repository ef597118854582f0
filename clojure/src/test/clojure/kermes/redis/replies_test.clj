(ns kermes.redis.replies-test
  "Replies as Clojure values, the same with RESP2 and RESP3."
  (:require
   [clojure.test :refer [deftest is use-fixtures]]
   [kermes.redis :as redis :refer [<??]]
   [kermes.servers :refer [*client* on-both-servers]]))

(set! *warn-on-reflection* true)

(use-fixtures :once on-both-servers)

(defn- replies
  "The values of commands, sent as a batch."
  [& commands]
  (<?? (redis/batch *client* commands)))

(deftest sorted-sets
  (is (= [2 [["a" 1.0] ["b" 2.5]] [["a" 1.0] ["b" 2.5]] ["a" "b"] 2.5 [1.0 nil] [["b" 2.5]]]
         (replies [:zadd "z" [1 "a" 2.5 "b"]]
                  [:zrange "z" 0 -1 {:withscores true}]
                  [:zrange "z" 0 -1 "WITHSCORES"]
                  [:zrange "z" 0 -1]
                  [:zscore "z" "b"]
                  [:zmscore "z" "a" "none"]
                  [:zpopmax "z"])))
  (is (= [["z" [["a" 1.0]]] nil 1 ["z" "m" Double/POSITIVE_INFINITY]]
         (replies [:zmpop "z" :min] [:zmpop "z" :min] [:zadd "z" "inf" "m"] [:bzpopmin "z" 1])))
  (is (= [1 2.5 nil] (replies [:zadd "zi" 1 "a"] [:zadd "zi" [1.5 "a"] {:incr true}]
                              [:zadd "zi" [1 "a"] {:incr true :nx true}]))))

(deftest hashes-and-sets
  (is (= [2 {"a" "1" "b" "2"} {} ["0" [["a" "1"] ["b" "2"]]]]
         (replies [:hset "h" (array-map "a" 1 "b" 2)] [:hgetall "h"] [:hgetall "none"]
                  [:hscan "h" 0])))
  (is (= [1 #{"m"} ["0" ["m"]] true [true false] #{"m"}]
         (replies [:sadd "s" "m"] [:smembers "s"] [:sscan "s" 0] [:sismember "s" "m"]
                  [:smismember "s" "m" "n"] [:spop "s" {:count 5}]))))

(deftest streams
  (is (= ["1-1" [["1-1" {"f" "v"}]] {"s1" [["1-1" {"f" "v"}]]} nil]
         (replies [:xadd "s1" "1-1" {"f" "v"}] [:xrange "s1" "-" "+"] [:xread {"s1" "0"}]
                  [:xread {"s1" "1-1"}]))
      "nothing new is nil")
  (is (= [0 "OK" {"s1" [["1-1" {"f" "v"}]]} [["1-1" {"f" "v"}]] ["1-1"]
          ["0-0" [["1-1" {"f" "v"}]] []]]
         (replies [:del "other"]
                  [:xgroup-create "s1" "g" "0"]
                  [:xreadgroup ["g" "me"] {"s1" ">"}]
                  [:xclaim "s1" "g" "you" 0 "1-1"]
                  [:xclaim "s1" "g" "you" 0 ["1-1"] {:justid true}]
                  [:xautoclaim "s1" "g" "me" 0 "0"]))))

(deftest records-are-maps-if-redis-names-the-fields
  (let [[_ _ _ groups consumers stream]
        (replies [:xadd "s2" "1-1" {"f" "v"}] [:xgroup-create "s2" "g" "0"]
                 [:xreadgroup ["g" "me"] {"s2" ">"}]
                 [:xinfo-groups "s2"] [:xinfo-consumers "s2" "g"] [:xinfo-stream "s2"])]
    (is (= {"name" "g" "consumers" 1 "pending" 1 "last-delivered-id" "1-1" "entries-read" 1 "lag" 0}
           (first groups)))
    (is (= ["me" 1] (map (first consumers) ["name" "pending"])))
    (is (= [1 ["1-1" {"f" "v"}]] (map stream ["length" "first-entry"]))))
  (is (= [[1 "1-1" "1-1" [["me" "1"]]] [["1-1" "me" 1]]]
         (update (replies [:xpending "s2" "g"] [:xpending "s2" "g" "-" "+" 10])
                 1 (partial mapv (fn [[id consumer _ deliveries]] [id consumer deliveries])))))
  (is (= {"matches" [[[2 3] [0 1]]] "len" 2}
         (last (replies [:set "a" "ohmy"] [:set "b" "my"] [:lcs "a" "b" {:idx true}]))))
  (is (= [["m" 0.0]]
         (last (replies [:geoadd "g2" 13.5 38.25 "m"]
                        [:geosearch "g2" {:frommember "m" :byradius [1 :km] :withdist true}]))))
  (is (= ["m" 0.0 3479113430760745]
         (pop (first (last (replies [:geosearch "g2" {:frommember "m" :byradius [1 :km]
                                                      :withdist true :withhash true
                                                      :withcoord true}]))))))
  (is (= [["f" "v"]]
         (last (replies [:hset "h3" {"f" "v"}] [:hrandfield "h3" 1 :withvalues])))))

(deftest options-change-the-shape
  (is (= [3 "c" ["b" "a"] nil] (replies [:rpush "l" "a" "b" "c"] [:rpop "l"] [:rpop "l" {:count 5}]
                                        [:rpop "l"])))
  (is (= ["OK" "v" true false] (replies [:set "k" "v"] [:set "k" "w" {:get true}]
                                        [:expire "k" 100] [:expire "none" 100])))
  (is (= [1 [[13.5 38.25]] 0.0]
         (update-in (replies [:geoadd "g" 13.5 38.25 "m"] [:geopos "g" "m"] [:geodist "g" "m" "m"])
                    [1 0] (partial mapv #(/ (Math/round (* 1e4 (double %))) 1e4))))))

(deftest queued-is-read-as-it-is
  (let [c (<?? (redis/dedicated *client*))]
    (try
      (is (= "OK" (<?? (redis/multi c))))
      (is (= "QUEUED" (<?? (redis/hgetall c "h2"))))
      (is (= "QUEUED" (<?? (redis/incrbyfloat c "n" 1.5))))
      (is (= 2 (count (<?? (redis/exec c)))))
      (finally (redis/close! c)))))
