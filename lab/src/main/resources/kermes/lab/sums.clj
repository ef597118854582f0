(ns kermes.lab.sums
  "The sum of the successors of all even numbers below n: ways."
  (:require
   [clojure.core.reducers :as r]))

(set! *warn-on-reflection* true)

(defn- sequences [numbers]
  (reduce + 0 (map inc (filter even? numbers))))

(defn- reducers [numbers]
  (reduce + 0 (r/map inc (r/filter even? numbers))))

(defn- transducers [numbers]
  (transduce (comp (filter even?) (map inc)) + 0 numbers))

(defn- fused
  "The fused loop of reducers and transducers, written by hand."
  [numbers]
  (reduce (fn [sum n] (if (even? n) (+ sum (inc n)) sum)) 0 numbers))

(defn- parallel [numbers]
  (r/fold + (r/map inc (r/filter even? numbers))))

(defn- primitive
  "The same loop on primitive longs, without boxing."
  [^longs numbers]
  (areduce numbers i sum 0
           (let [n (aget numbers i)] (if (even? n) (+ sum (inc n)) sum))))

(defn- check [sum n]
  (let [evens (quot (inc n) 2)]
    (when-not (= (* evens evens) sum) (throw (ex-info "wrong sum" {:n n, :sum sum})))))

(defn ways
  "Functions, by name, that compute the sum of n numbers from a range, a vector or an array of longs."
  [n]
  (let [n (long n)
        numbers (vec (range n))
        longs (long-array numbers)]
    {"range, sequences" #(check (sequences (range n)) n)
     "range, reducers" #(check (reducers (range n)) n)
     "vector, sequences" #(check (sequences numbers) n)
     "vector, reducers" #(check (reducers numbers) n)
     "vector, transducers" #(check (transducers numbers) n)
     "vector, fused by hand" #(check (fused numbers) n)
     "vector, parallel fold" #(check (parallel numbers) n)
     "array, fused by hand" #(check (primitive longs) n)}))
