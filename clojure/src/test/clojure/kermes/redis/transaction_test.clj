(ns kermes.redis.transaction-test
  "Transactions that depend on what they read, scripts and functions."
  (:require
   [clojure.core.async :as a :refer [<! <!! go]]
   [clojure.test :refer [deftest is use-fixtures]]
   [kermes.redis :as redis :refer [<!? <?? defscript]]
   [kermes.redis.script :as script]
   [kermes.servers :refer [*client* on-both-servers]])
  (:import
   (java.io StringReader)))

(set! *warn-on-reflection* true)

(use-fixtures :once on-both-servers)

;; ---- WATCH

(defn- increment [c k]
  (redis/atomically c [k] [conn]
    (let [n (parse-long (or (<!? (redis/get conn k)) "0"))]
      (<! (a/timeout (rand-int 3)))
      [[:set k (inc n)]])))

(deftest atomically-loses-no-update
  (let [workers (mapv (fn [_] (go (dotimes [_ 5] (<!? (increment *client* "n"))))) (range 4))]
    (run! <!! workers)
    (is (= "20" (<?? (redis/get *client* "n"))))))

(deftest watching-with-plain-commands
  (is (= ["OK" 2] (<?? (redis/watching *client* :w (fn [_] [[:set :w 1] [:incr :w]])))))
  (is (= [] (<?? (redis/watching *client* ["w"] (fn [_] nil)))) "nothing to do"))

(deftest watching-gives-up-eventually
  (let [c *client*
        calls (atom 0)]
    (is (= ::redis/nil
           (<!! (redis/watching c "busy"
                                (fn [_]
                                  (go (swap! calls inc)
                                      (<! (redis/incr c "busy"))
                                      [[:set "busy" "mine"]]))))))
    (is (= 100 @calls))))

(deftest batch-on-a-dedicated-connection
  (let [own (<?? (redis/dedicated *client*))
        [selected stored failure n nothing]
        (<?? (redis/batch own [[:select 1] [:set "in-1" "x"] [:incr "in-1"] [:exists "in-1"] [:get "none"]]))]
    (is (= ["OK" "OK" 1 nil] [selected stored n nothing]))
    (is (= :server (::redis/error (ex-data failure))))
    (is (= [] (<?? (redis/batch own []))))
    (redis/close! own)
    (is (= 0 (<?? (redis/exists *client* "in-1"))))))

(deftest failure-of-the-body-is-the-result
  (is (= "mine" (ex-message (<!! (redis/watching *client* "w" (fn [_] (throw (ex-info "mine" {}))))))))
  (is (= "mine" (ex-message (<!! (redis/atomically *client* ["w"] [_] (throw (ex-info "mine" {})))))))
  (is (= "no commands" (ex-message (<!! (redis/watching *client* "w" (fn [_] (go nil))))))
      "a go block that failed is not one that wants nothing")
  (<?? (redis/set *client* "text" "abc"))
  (is (= "ERR" (:code (ex-data (<!! (redis/atomically *client* ["text"] [conn]
                                      [[:set "text" (<!? (redis/incr conn "text"))]])))))))

(deftest watch-and-transaction-by-hand
  (let [own (<?? (redis/dedicated *client* "k"))]
    (is (= "OK" (<?? (redis/watch own "k"))))
    (is (= ["OK"] (<?? (redis/transaction own [[:set "k" 1]]))))
    (redis/close! own)
    (is (thrown? IllegalStateException (redis/get own "k")) "given back is given back")))

;; ---- scripts

(defscript add-up-to
  "Adds to a counter up to a maximum."
  [the-counter] [by maximum]
  "local n = math.min(tonumber(maximum), (redis.call('GET', the_counter) or 0) + by)
   redis.call('SET', the_counter, n)
   return n")

(defscript push-all [queue] [& jobs] "return redis.call('RPUSH', queue, unpack(jobs))")

(defscript look {:read-only true} [k] [] "return {redis.call('GET', k), 1, 'two', false}")

(defscript from-reader [] [] (StringReader. "return 'read'"))

(defscript failing [] [] "return
   redis.call('NOSUCH')")

(deftest script-is-a-function
  (is (= '([client the-counter by maximum]) (:arglists (meta #'add-up-to))))
  (is (= "Adds to a counter up to a maximum." (:doc (meta #'add-up-to))))
  (is (= [4 8 10] (mapv #(<?? %) (repeatedly 3 #(add-up-to *client* "c" 4 10)))))
  (is (= 3 (<?? (push-all *client* "q" "a" :b 3))))
  (is (= ["a" "b" "3"] (<?? (redis/lrange *client* "q" 0 -1))))
  (is (= ["10" 1 "two" nil] (<?? (look *client* "c"))))
  (is (= "read" (<?? (from-reader *client*))))
  (is (re-find #"nknown" (ex-message (<!! (failing *client*)))))
  (is (thrown-with-msg? IllegalArgumentException #"wanted=3, given=1" (add-up-to *client* "c")))
  (is (= :encode (::redis/error (ex-data (<!! (add-up-to *client* "c" nil 1)))))))

(deftest script-missing-at-the-server-is-sent-again
  (is (= 1 (<?? (add-up-to *client* "f" 1 10))))
  (is (= "OK" (<?? (redis/script-flush *client*))))
  (is (= [2 3 4] (sort (map <!! (doall (repeatedly 3 #(add-up-to *client* "f" 1 10)))))) "at once"))

(deftest scripts-of-one-name-in-two-namespaces
  (let [other (binding [*ns* (create-ns 'kermes.redis.other-scripts)]
                (refer-clojure)
                (require '[kermes.redis :as redis])
                @(eval '(redis/defscript look [] [] "return 'other'")))]
    (is (= "other" (<?? (other *client*))))
    (is (= [nil 1 "two" nil] (<?? (look *client* "none"))))
    (remove-ns 'kermes.redis.other-scripts)))

(deftest scripts-in-batches-and-transactions
  (is (= [1 2 "PONG"] (<?? (redis/batch *client* [[add-up-to "b" 1 9] [add-up-to "b" 1 9] [:ping]]))))
  (is (= [3 4] (<?? (redis/transaction *client* [[add-up-to "b" 1 9] [add-up-to "b" 1 9]]))))
  (let [own (<?? (redis/dedicated *client*))]
    (is (= 5 (<?? (add-up-to own "b" 1 9))))
    (redis/close! own)))

(deftest local-names-are-checked
  (is (thrown-with-msg? IllegalArgumentException #"not a name for a local variable of Lua: end"
                        (script/script-fn '[end] [] "return 1" {}))))

;; ---- functions

(deftest functions-of-the-server
  (is (= "lib" (<?? (redis/function-load *client* "#!lua name=lib
    redis.register_function('both', function(keys, args) return {keys[1], args[1], #keys} end)"
                                         {:replace true}))))
  (is (= ["k" "a" 1] (<?? (redis/fcall *client* "both" ["k"] "a"))))
  (is (= [] (<?? (redis/fcall *client* "both" []))))
  (is (= "OK" (<?? (redis/function-delete *client* "lib")))))
