(ns kermes.lab.factors
  "Prime factorisation of numbers: factors, ways."
  (:require
   [clojure.core.async :as async :refer [<! <!! >! >!! chan go-loop pipeline thread]]
   [clojure.core.reducers :as r]))

(set! *warn-on-reflection* true)

(def number
  "A small prime times a large one: all odd numbers up to the root of the large one are tested."
  (* 29 982451653))

(defn factors
  "The prime factors of n, found naively and, as in the article, without type hints."
  [n]
  (loop [found [], n n, p 2]
    (cond
      (= 1 n) found
      (> (* p p) n) (conj found n)
      (zero? (mod n p)) (recur (conj found p) (quot n p) p)
      :else (recur found n (if (= 2 p) 3 (+ p 2))))))

(defn- receive [c n]
  (vec (repeatedly n #(<!! c))))

(defn- serial [numbers]
  (mapv factors numbers))

(defn- go-blocks [numbers n]
  (let [in (async/to-chan! numbers)
        out (chan)]
    (dotimes [_ n]
      (go-loop []
        (when-some [number (<! in)]
          (>! out (factors number))
          (recur))))
    (receive out (count numbers))))

(defn- threads [numbers n]
  (let [in (async/to-chan! numbers)
        out (chan)]
    (dotimes [_ n]
      (thread
        (loop []
          (when-some [number (<!! in)]
            (>!! out (factors number))
            (recur)))))
    (receive out (count numbers))))

(defn- with-pipeline [numbers n]
  (let [out (chan)]
    (pipeline n out (map factors) (async/to-chan! numbers))
    (<!! (async/into [] out))))

(defn- fold [numbers chunk]
  (into [] (r/fold chunk r/cat r/append! (r/map factors numbers))))

(defn- check [found n]
  (when-not (= (repeat n [29 982451653]) found) (throw (ex-info "wrong factors" {:found found}))))

(defn ways
  "Functions, by name, that factorise `count` numbers, n at a time. fold divides its vector until no part
  is longer than a chunk, 512 by default."
  [count n]
  (let [numbers (vec (repeat count number))]
    {"serial" #(check (serial numbers) count)
     "go" #(check (go-blocks numbers n) count)
     "thread" #(check (threads numbers n) count)
     "pipeline" #(check (with-pipeline numbers n) count)
     "fold" #(check (fold numbers 512) count)
     "fold, chunks of 16" #(check (fold numbers 16) count)}))

(comment
  (time ((get (ways 100 2) "pipeline"))))
