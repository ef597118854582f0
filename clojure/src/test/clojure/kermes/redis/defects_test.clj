(ns kermes.redis.defects-test
  "Defects of the previous Clojure client, one test for each group of them."
  (:require
   [clojure.core.async :as a :refer [<! <!! go]]
   [clojure.test :refer [deftest is testing use-fixtures]]
   [kermes.redis :as redis :refer [<!? <??]]
   [kermes.servers :refer [*client* *resp* *url* await-true on-both-servers]])
  (:import
   (dev.kermes.testing Ports)))

(set! *warn-on-reflection* true)

(use-fixtures :once on-both-servers)

(defn- error-of [reply] (::redis/error (ex-data reply)))

(defn- with-client
  "Calls f with a separate client named `client-name`."
  [client-name options f]
  (let [c (redis/connect *url* (merge {:resp *resp* :client-name client-name} options))]
    (try (f c) (finally (redis/close! c)))))

(defn- kill-clients-named
  "Closes the connections of that name at the server; returns their number."
  [client-name]
  (let [found (re-seq #"id=(\d+) [^\n]*? name=(\S*)" (<?? (redis/client-list *client*)))
        ids (for [[_ id found-name] found :when (= client-name found-name)] id)]
    (count (filter #(= 1 (<?? (redis/client-kill *client* {:id %}))) ids))))

(deftest null-array-is-nil-and-later-replies-are-intact
  (is (= ::redis/nil (<!! (redis/blpop *client* "none" 0.01))) "a pop that timed out")
  (let [own (<?? (redis/dedicated *client*))]
    (is (= "OK" (<?? (redis/watch own "watched"))))
    (is (= "OK" (<?? (redis/set *client* "watched" "other"))))
    (is (= ::redis/nil (<!! (redis/transaction own [[:set "watched" "mine"]]))) "an aborted EXEC")
    (redis/close! own))
  (is (= "PONG" (<?? (redis/ping *client*)))))

(deftest back-pressure-with-unread-replies
  (let [chs (mapv #(redis/echo *client* %) (range 5000))]
    (is (= "4999" (<?? (peek chs))) "more than 1,024 replies wait for their takers")
    (is (= (map str (range 5000)) (map <!! (conj (pop chs) (a/to-chan! ["4999"])))))))

(deftest back-pressure-full-queue-is-a-failure
  (let [c (redis/connect {:port (Ports/free) :queue-max 10 :timeout-ms 300})
        errors (frequencies (map (comp error-of <!!) (mapv (fn [_] (redis/ping c)) (range 30))))]
    (is (= {:queue-full 20 :timeout 10} errors))
    (redis/close! c)))

(deftest lost-connection-is-neither-nil-nor-a-value
  (with-client "lost" {}
    (fn [c]
      (is (= "PONG" (<?? (redis/ping c))))
      (let [pops (mapv #(redis/blpop c (str "never" %) 0) (range 3))]
        (await-true #(= 3 (count (re-seq #" name=lost [^\n]* cmd=blpop "
                                         (<?? (redis/client-list *client*))))))
        (is (= 4 (kill-clients-named "lost")))
        (doseq [failure (map <!! pops)]
          (is (redis/error? failure))
          (is (= {::redis/error :connection-lost :may-have-executed true} (ex-data failure)))
          (is (thrown? clojure.lang.ExceptionInfo (redis/value failure))))))))

(deftest nothing-blocks-the-caller
  (let [c (redis/connect {:port (Ports/free) :timeout-ms 200 :password "p" :database 1})]
    (is (= :timeout (error-of (<!! (go (<! (redis/get c "k")))))) "no server is there")
    (redis/close! c)))

(deftest reconnects-by-itself
  (with-client "back" {}
    (fn [c]
      (is (= "OK" (<?? (redis/set c "k" "v"))))
      (is (= 1 (kill-clients-named "back")))
      (is (= "v" (<?? (redis/get c "k"))) "a command that only reads is sent again"))))

(deftest connection-state-never-leaks
  (let [c *client*]
    (testing "refused where others share the connection"
      (doseq [command [#(redis/watch c "k") #(redis/select c 1) #(redis/multi c)]]
        (is (thrown-with-msg? IllegalArgumentException #"changes its connection" (command)))))
    (let [own (<?? (redis/dedicated c))]
      (is (= "OK" (<?? (redis/select own 1))))
      (is (= "OK" (<?? (redis/set own "only-in-1" "v"))))
      (redis/close! own))
    (is (= 0 (<?? (redis/exists c "only-in-1"))))
    (let [next-own (<?? (redis/dedicated c))]
      (is (= 0 (<?? (redis/exists next-own "only-in-1"))) "nor to the next borrower")
      (redis/close! next-own))))

(deftest transaction-inside-a-go-block-across-parking
  (is (= [["OK" 2] "2"]
         (<!! (go (let [first-reply (<!? (redis/transaction *client* [[:set "t" 1] [:incr "t"]]))]
                    (<! (a/timeout 1))
                    [first-reply (<!? (redis/get *client* "t"))]))))))

(deftest arguments-are-what-they-say
  (let [c *client*
        bytes-of (fn [^String s] (.getBytes s "ISO-8859-1"))]
    (is (= "OK" (<?? (redis/set c :user/name -5))))
    (is (= "-5" (<?? (redis/get c "user/name"))) "a keyword is its name, as it is spelt")
    (is (= "OK" (<?? (redis/set c "bin" (bytes-of "\u00ff\u0000\r\n")))))
    (is (= 4 (<?? (redis/strlen c "bin"))) "bytes are bytes")
    (is (= :encode (error-of (<!! (redis/set c "k" nil)))) "nil is not an empty string")
    (is (= :encode (error-of (<!! (redis/set c "k" inc)))) "nor is a function its name")
    (is (= :encode (error-of (<!! (redis/set c "k" (long-array 1))))))
    (is (= "PONG" (<?? (redis/ping c))) "and other commands continue")))

(deftest nil-can-be-told-on-the-raw-channel
  (is (= [::redis/nil nil] (let [ch (redis/get *client* "none")] [(<!! ch) (<!! ch)]))
      "a nil reply, then the closed channel"))

(deftest misspelt-options-are-refused
  (is (thrown-with-msg? clojure.lang.ExceptionInfo #"unknown option: :hostname"
                        (redis/connect {:hostname "localhost"}))))
