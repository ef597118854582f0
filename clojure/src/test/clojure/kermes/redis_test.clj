(ns kermes.redis-test
  (:require
   [clojure.core.async :as a :refer [<! <!! alts!! go take!]]
   [clojure.core.async.impl.protocols :as impl]
   [clojure.test :refer [deftest is testing use-fixtures]]
   [kermes.redis :as redis :refer [<!? <??]]
   [kermes.servers :refer [*client* *url* await-true on-both-servers]]))

(set! *warn-on-reflection* true)

(use-fixtures :once on-both-servers)

(deftest values-nil-and-errors-are-different
  (let [c *client*]
    (is (= "OK" (<!! (redis/set c "k" "v"))))
    (is (= "v" (<?? (redis/get c "k"))))
    (is (= ::redis/nil (<!! (redis/get c "none"))))
    (is (redis/nil? (<!! (redis/get c "none"))))
    (is (nil? (<?? (redis/get c "none"))))
    (let [failure (<!! (redis/lpush c "k" "x"))]
      (is (redis/error? failure))
      (is (= {::redis/error :server :code "WRONGTYPE"} (ex-data failure))))
    (is (thrown-with-msg? clojure.lang.ExceptionInfo #"WRONGTYPE" (<?? (redis/lpush c "k" "x"))))))

(deftest options-are-maps
  (let [c *client*]
    (is (= "OK" (<?? (redis/set c "opt" 1 {:ex 100 :nx true}))))
    (is (nil? (<?? (redis/set c "opt" 2 {:nx true}))))
    (is (<= 90 (<?? (redis/ttl c "opt")) 100))
    (is (= 2 (<?? (redis/zadd c "z" [1 "a" 2.5 "b"] {:ch true}))))
    (is (= 1 (<?? (redis/zadd c "z" "CH" 3 "a"))) "plain words in Redis' own order work as well")
    (is (= ["a"] (<?? (redis/zrangebyscore c "z" 3 "+inf" {:limit [0 1]}))))))

(deftest collections-are-spliced
  (let [c *client*]
    (is (= 2 (<?? (redis/hset c "h" {"a" 1 "b" 2}))))
    (is (= {"a" "1" "b" "2"} (<?? (redis/hgetall c "h"))))
    (is (= 3 (<?? (redis/sadd c "s" ["x" "y"] "z"))))
    (is (= #{"x" "y" "z"} (<?? (redis/smembers c "s"))))
    (is (= #{"x" "y" "z"} (<?? (redis/sunion c ["s" "s2"]))))
    (is (= 3 (<?? (redis/sintercard c ["s" "s"]))) "numkeys is counted")
    (is (= [nil "v2"] (do (<?? (redis/mset c {"m2" "v2"})) (<?? (redis/mget c "m1" "m2")))))
    (<?? (redis/set c (byte-array [1 2]) "b"))
    (is (= "b" (<?? (redis/get c (byte-array [1 2])))) "binary keys")))

(deftest batch-has-errors-as-elements
  (let [c *client*
        [ok n nothing failure] (<?? (redis/batch c [[:set "b" 1] [:incr "b"] [:get "no"]
                                                    [:lpush "b" 1]]))]
    (is (= ["OK" 2 nil] [ok n nothing]))
    (is (= "WRONGTYPE" (:code (ex-data failure))))
    (is (= ["OK" 2] (<?? (redis/transaction c [[:set "t" 1] [:incr "t"]]))))))

(deftest channel-behaves-like-a-channel
  (let [c *client*]
    (testing "one reply, then closed"
      (let [ch (redis/ping c)]
        (is (= "PONG" (<!! ch)))
        (is (nil? (<!! ch)))))
    (testing "go"
      (is (= [0 "PONG"] (<!! (go [0 (<! (redis/ping c))]))))
      (is (= 100 (count (<!! (a/into [] (a/merge (for [_ (range 100)]
                                                   (go (<!? (redis/ping c))))))))))
      (<?? (redis/set c "text" "abc"))
      (is (= "caught" (<!! (go (try (<!? (redis/incr c "text")) (catch Exception _ "caught")))))))
    (testing "alts! takes from exactly one"
      (dotimes [i 200]
        (let [chs [(redis/echo c (str "a" i)) (redis/echo c (str "b" i))]
              [v port] (alts!! chs)
              other (first (remove #{port} chs))]
          (is (= #{(str "a" i) (str "b" i)} #{v (<!! other)})))))
    (testing "alts! with a blocked pop and a timeout"
      (let [pop (redis/blpop c "nothing" 0)
            [v port] (alts!! [pop (a/timeout 20)])]
        (is (nil? v))
        (is (not= pop port))
        (a/close! pop)
        (is (nil? (<!! pop)))))
    (testing "take! and poll!"
      (let [p (promise)
            ch (redis/ping c)]
        (take! ch #(deliver p %))
        (is (= "PONG" (deref p 5000 :late)))
        (is (nil? (a/poll! ch)))))
    (testing "takers beyond the first get nil"
      (let [ch (redis/blpop c "two" 1)
            t1 (a/thread (<!! ch))
            t2 (a/thread (<!! ch))]
        (<?? (redis/rpush c "two" "x"))
        (is (= #{["two" "x"] nil} (set [(<!! t1) (<!! t2)])))))))

(deftest close-cancels-and-wakes-takers
  (let [c *client*
        ch (redis/blpop c "never" 0)
        taker (a/thread (<!! ch))]
    (a/close! ch)
    (is (nil? (<!! taker)))
    (is (= "PONG" (<?? (redis/ping c))))))

(deftest close-after-the-reply-leaves-its-value
  (let [ch (redis/blpop *client* "later" 0)]
    (<?? (redis/rpush *client* "later" "x"))
    (await-true #(impl/closed? ch))
    (a/close! ch)
    (is (= ["later" "x"] (<!! ch)))
    (is (nil? (<!! ch)))))

(deftest encode-failure-and-closed-client
  (let [c (redis/connect *url*)]
    (is (= "PONG" (<?? (redis/ping c))))
    (redis/close! c)
    (is (= :closed (::redis/error (ex-data (<!! (redis/ping c))))))))

(deftest many-channels-each-its-own-reply
  (let [c *client*
        chs (mapv #(redis/echo c (str %)) (range 5000))]
    (is (= (map str (range 5000)) (map <!! chs)))))
