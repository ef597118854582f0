(ns kermes.trace
  "Tracing for development: calls as a tree, notes that can remain in the code, a cond that reports its
  branch, and the commands sent to Redis with their replies.

    (trace! #'total 'my.shop)            ; a function, and all functions of a namespace
    (trace-commands!)
    (total \"cart\")
      1 (my.shop/total \"cart\")
      2 | HGETALL cart
      2 | => {\"apple\" \"3\"} 0.41 ms
      1 => 3 0.92 ms
    (untrace!)

    (note \"%d left\" n)                   ; prints inside `verbosely`, or after (verbose! true)
    (spy (* n 2))
    (cond (neg? n) :debt, (< n 10) :low, :else :fine)

  While tracing is off, a function is the original one, and a note costs one read of a var. The depth is
  conveyed like other bindings: into go blocks, futures and threads of core.async. Lines are written to
  the value of *out* at the beginning of the call, or passed to *sink*. This namespace defines `cond`:
  refer to it by alias."
  (:refer-clojure :exclude [cond])
  (:require
   [clojure.core :as core]
   [clojure.core.async.impl.protocols :as async]
   [clojure.string :as str])
  (:import
   (java.io Writer)
   (java.util.concurrent.atomic AtomicLong)))

(set! *warn-on-reflection* true)

;; ---- lines

(def ^:dynamic *sink*
  "A function that takes each line; nil for printing."
  nil)

(def ^:dynamic *width*
  "The number of characters shown of a value."
  200)

(def ^:dynamic ^:private *depth* 0)

(defonce ^:private ^AtomicLong numbers (AtomicLong.))

(defn- sink
  "The function that takes the lines of a call that begins now."
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
  "Formats words for a trace: on one line, truncated to *width*."
  [words]
  (let [text (str/replace (str/join " " (take 50 words)) #"\s*\n\s*" " ")]
    (if (< *width* (count text)) (str (subs text 0 *width*) "…") text)))

(defn show
  "Formats a value for a trace: on one line, truncated to *width*."
  [value]
  (if (satisfies? async/ReadPort value)
    "<channel>"
    (line [(binding [*print-length* 20, *print-level* 5] (pr-str value))])))

(defn- failure-text [^Throwable e]
  (str "!! " (.getSimpleName (class e)) ": " (ex-message e)))

(defn- elapsed [started]
  (format "%.2f ms" (/ (- (System/nanoTime) (long started)) 1e6)))

(defn started
  "Prints the start of an operation described by `label`. Returns a function that must be called once,
  on any thread, with the operation's result or exception."
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
  "The vars to trace: the given var, or all functions of a namespace."
  [what]
  (if (var? what)
    (if (traceable? what)
      [what]
      (throw (IllegalArgumentException. (str "not a function: " what))))
    (filter traceable? (vals (ns-interns (the-ns what))))))

(defn- trace-var [traced ^clojure.lang.Var v]
  (let [f (.getRawRoot v)]
    (if (identical? f (:tracing (get traced v)))
      traced
      (assoc traced v {:original f, :tracing (tracing f (symbol v))}))))

(defn trace!
  "Prints every call of the given vars, and of all functions of the namespaces given as symbols:
  arguments, result and time, as a tree. Redefining a var ends its tracing."
  [& vars-and-namespaces]
  (doseq [v (mapcat vars-of vars-and-namespaces)]
    (let [{:keys [tracing]} (get (swap! traced trace-var v) v)]
      (alter-var-root v (constantly tracing)))))

(defn- untrace-var! [v]
  (let [[before] (swap-vals! traced dissoc v)]
    (when-let [{:keys [original tracing]} (get before v)]
      (alter-var-root v #(if (identical? tracing %) original %)))))

(defn untrace!
  "Restores the original functions: all of them, or those of these vars and namespaces."
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
  "Switches notes on or off globally, except inside `verbosely` and `quietly`."
  [on?]
  (alter-var-root #'*verbose* (constantly (boolean on?))))

(defmacro verbosely
  "Runs the body with notes printed."
  [& body]
  `(binding [*verbose* true] ~@body))

(defmacro quietly
  "Runs the body without printing notes."
  [& body]
  `(binding [*verbose* false] ~@body))

(defn say
  "Prints a line at the current depth, whether notes are on or off."
  [line]
  ((sink) (str (bars *depth*) line))
  nil)

(defmacro note
  "Prints a line formatted by `format` if notes are on; otherwise the arguments are not evaluated."
  [fmt & args]
  `(when *verbose* (say (format ~fmt ~@args))))

(defmacro spy
  "Returns the value of the form; prints both if notes are on."
  [form]
  `(let [value# ~form]
     (when *verbose* (say (str ~(pr-str form) " => " (show value#))))
     value#))

(defn- source-location [form]
  (str (ns-name *ns*) ":" (:line (meta form))))

(defn- branches [location clauses]
  (if-let [[test expr & others] (seq clauses)]
    `(if ~test
       (do (when *verbose* (say ~(str "cond at " location " took " (pr-str test)))) ~expr)
       ~(branches location others))
    `(when *verbose* (say ~(str "cond at " location " took none")))))

(defmacro cond
  "Like clojure.core/cond; prints the branch taken if notes are on."
  [& clauses]
  (when (odd? (count clauses))
    (throw (IllegalArgumentException. "cond requires an even number of forms")))
  (branches (source-location &form) clauses))

;; ---- commands

(defn trace-commands!
  "Prints every command that kermes.redis sends, and its reply, as part of the tree. While this is on,
  scripts are sent as EVAL. Messages of subscriptions, and passwords in AUTH and HELLO, are not
  printed."
  []
  ((requiring-resolve 'kermes.redis.tracing/start!)))

(defn untrace-commands!
  "Stops printing commands."
  []
  ((requiring-resolve 'kermes.redis.tracing/stop!)))

(defmacro with-commands-traced
  "Runs the body with commands printed."
  [& body]
  `(do (trace-commands!)
       (try ~@body (finally (untrace-commands!)))))

(comment
  (defn total [prices] (reduce + prices))
  (with-traced [total] (total [1 2]))                       ; => 3, and prints the call
  (verbosely (spy (* 2 3))))                                ; => 6, and prints the form
