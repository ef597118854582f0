(ns kermes.trace
  "Seeing what a program does: its calls as a tree, notes that stay in the code, a cond that says which
  branch it took, and the commands sent to Redis with their replies.

    (trace! #'total 'my.shop)            ; these functions, and all of a namespace
    (trace-commands!)
    (total \"cart\")
      1 (my.shop/total \"cart\")
      2 | HGETALL cart
      2 | => {\"apple\" \"3\"} 0.41 ms
      1 => 3 0.92 ms
    (untrace!)

    (note \"%d left\" n)                   ; prints inside of `verbosely`, or after (verbose! true)
    (spy (* n 2))
    (cond (neg? n) :debt, (< n 10) :low, :else :fine)

  Switched off, a function is what it was, and a note is one look at a var. Depth goes where bindings
  go: into go blocks, futures and threads of core.async. Lines go to *out* as it was when the call
  began, or to *sink*. This namespace has a `cond` of its own: refer to it by alias."
  (:refer-clojure :exclude [cond])
  (:require [clojure.core :as core]
            [clojure.core.async.impl.protocols :as async]
            [clojure.string :as str])
  (:import (java.io Writer)
           (java.util.concurrent.atomic AtomicLong)))

(set! *warn-on-reflection* true)

;; ---- lines

(def ^:dynamic *sink*
  "A function that takes each line; nil for printing."
  nil)

(def ^:dynamic *width*
  "How many characters of a value are shown."
  200)

(def ^:dynamic ^:private *depth* 0)

(defonce ^:private ^AtomicLong numbers (AtomicLong.))

(defn- sink
  "Where lines go that belong to what begins now."
  []
  (or *sink*
      (let [^Writer out *out*]
        (fn [line]
          (locking out
            (.write out (str line "\n"))
            (.flush out))))))

(defn- bars [depth]
  (str/join (repeat depth "| ")))

(defn line
  "Words as a trace shows them: one line, the beginning of what is long."
  [words]
  (let [text (str/replace (str/join " " (take 50 words)) #"\s*\n\s*" " ")]
    (if (< *width* (count text)) (str (subs text 0 *width*) "…") text)))

(defn show
  "A value as a trace shows it: on one line, the beginning of what is long."
  [value]
  (if (satisfies? async/ReadPort value)
    "<channel>"
    (line [(binding [*print-length* 20, *print-level* 5] (pr-str value))])))

(defn- failure-text [^Throwable e]
  (str "!! " (.getSimpleName (class e)) ": " (ex-message e)))

(defn- elapsed [started]
  (format "%.2f ms" (/ (- (System/nanoTime) (long started)) 1e6)))

(defn started
  "Prints that something begins, described by `label`, and returns a function to be called once, on
  any thread, with its result, or the exception that it failed with."
  [label]
  (let [write (sink)
        width *width*
        started (System/nanoTime)
        head (str (.incrementAndGet numbers) " " (bars *depth*))]
    (write (str head label))
    (fn [result]
      (binding [*width* width]
        (write (str head (if (instance? Throwable result)
                           (failure-text result)
                           (str "=> " (show result)))
                    " " (elapsed started)))))))

;; ---- calls

(defonce ^:private traced (atom {}))

(defn- tracing [f label]
  (fn [& args]
    (let [ended (started (str "(" (str/join " " (cons label (map show args))) ")"))]
      (try
        (let [result (binding [*depth* (inc (long *depth*))] (apply f args))]
          (ended result)
          result)
        (catch Throwable e
          (ended e)
          (throw e))))))

(defn- traceable? [^clojure.lang.Var v]
  (and (.hasRoot v) (fn? (.getRawRoot v)) (not (.isMacro v))))

(defn- vars-of
  "A var, or the functions of a namespace."
  [what]
  (if (var? what)
    (if (traceable? what)
      [what]
      (throw (IllegalArgumentException. (str "no function to trace: " what))))
    (filter traceable? (vals (ns-interns (the-ns what))))))

(defn- trace-var [traced ^clojure.lang.Var v]
  (let [f (.getRawRoot v)]
    (if (identical? f (:tracing (get traced v)))
      traced
      (assoc traced v {:original f, :tracing (tracing f (symbol v))}))))

(defn trace!
  "Prints every call of these functions, given as vars, and of the functions of these namespaces,
  given as symbols: arguments, result, time, as a tree. A var that is redefined is traced no more."
  [& vars-and-namespaces]
  (doseq [v (mapcat vars-of vars-and-namespaces)]
    (let [{:keys [tracing]} (get (swap! traced trace-var v) v)]
      (alter-var-root v (constantly tracing)))))

(defn- untrace-var! [v]
  (let [[before] (swap-vals! traced dissoc v)]
    (when-let [{:keys [original tracing]} (get before v)]
      (alter-var-root v #(if (identical? tracing %) original %)))))

(defn untrace!
  "Makes functions what they were: all of them, or these vars and namespaces."
  ([] (run! untrace-var! (keys @traced)))
  ([& vars-and-namespaces]
   (run! untrace-var! (filter (set (keys @traced)) (mapcat vars-of vars-and-namespaces)))))

(defmacro with-traced
  "Runs the body with these functions traced: with-traced [total my.other/f] or [#'total 'my.ns]."
  [vars-and-namespaces & body]
  (let [whats (mapv #(if (symbol? %) `(var ~%) %) vars-and-namespaces)]
    `(let [whats# ~whats]
       (apply trace! whats#)
       (try ~@body (finally (apply untrace! whats#))))))

;; ---- notes

(def ^:dynamic *verbose*
  "Whether notes are printed."
  false)

(defn verbose!
  "Switches notes on or off for everybody who is not inside of `verbosely` or `quietly`."
  [on?]
  (alter-var-root #'*verbose* (constantly (boolean on?))))

(defmacro verbosely
  "Runs the body with notes printed."
  [& body]
  `(binding [*verbose* true] ~@body))

(defmacro quietly
  "Runs the body with notes not printed."
  [& body]
  `(binding [*verbose* false] ~@body))

(defn say
  "Prints a line at the present depth, verbose or not."
  [line]
  ((sink) (str (bars *depth*) line))
  nil)

(defmacro note
  "Prints a line as `format` makes it, where notes are on; otherwise nothing is evaluated."
  [fmt & args]
  `(when *verbose* (say (format ~fmt ~@args))))

(defmacro spy
  "The value of the form, printed with the form where notes are on."
  [form]
  `(let [value# ~form]
     (when *verbose* (say (str ~(pr-str form) " => " (show value#))))
     value#))

(defn- place [form]
  (str (ns-name *ns*) ":" (:line (meta form))))

(defn- branches [place clauses]
  (if-let [[test expr & others] (seq clauses)]
    `(if ~test
       (do (when *verbose* (say ~(str "cond at " place " took " (pr-str test)))) ~expr)
       ~(branches place others))
    `(when *verbose* (say ~(str "cond at " place " took none")))))

(defmacro cond
  "As clojure.core/cond; where notes are on, says which branch it takes."
  [& clauses]
  (when (odd? (count clauses))
    (throw (IllegalArgumentException. "cond requires an even number of forms")))
  (branches (place &form) clauses))

;; ---- commands

(defn trace-commands!
  "Prints every command that kermes.redis sends, and its reply, as part of the tree. Scripts are sent
  as EVAL meanwhile; messages of subscriptions are not shown. Passwords in AUTH and HELLO are not
  either."
  []
  ((requiring-resolve 'kermes.redis.tracing/start!)))

(defn untrace-commands!
  "Commands are not printed any more."
  []
  ((requiring-resolve 'kermes.redis.tracing/stop!)))

(defmacro with-commands-traced
  "Runs the body with commands printed."
  [& body]
  `(do (trace-commands!)
       (try ~@body (finally (untrace-commands!)))))
