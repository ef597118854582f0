(ns kermes.redis.request
  "Writes Clojure values as requests, by the command table.

    (zunion c [\"a\" \"b\"] {:weights [1 2] :aggregate :sum})
              ^slot: counted         ^options by token or by name

  Each required argument is a slot; the last one takes all remaining arguments. A codec, if there is
  one, encodes the arguments that the table declares as values of the user."
  {:no-doc true}
  (:require
   [clojure.string :as str]
   [kermes.redis.reply :as reply])
  (:import
   (dev.kermes.client Codec Command CommandBuilder)
   (dev.kermes.commands CommandArgument CommandSpec CommandTable)
   (java.time.temporal Temporal)
   (java.util UUID)))

(set! *warn-on-reflection* true)

;; ---- values

(defn- text-of-number [n]
  (if (decimal? n)
    (.toPlainString ^BigDecimal n)
    (let [d (double n)]
      (cond
        (Double/isInfinite d) (if (pos? d) "inf" "-inf")
        (and (== d (Math/rint d)) (< (Math/abs d) 1e15)) (str (long d))
        :else (str d)))))

(defn- text-of
  "The text of a single argument other than bytes; nil if it has no textual form."
  [argument]
  (cond
    (string? argument) argument
    (integer? argument) (str argument)
    (number? argument) (text-of-number argument)
    (ident? argument) (str (symbol argument))
    (or (instance? CharSequence argument) (char? argument) (boolean? argument)
        (instance? UUID argument) (instance? Temporal argument)) (str argument)))

(def argument-codec
  "A codec that writes single arguments, and refuses those without a textual form. Does not read."
  (reify Codec
    (encode [_ argument]
      (if (bytes? argument)
        argument
        (if-let [text (text-of argument)]
          (.getBytes ^String text "UTF-8")
          (throw (IllegalArgumentException.
                   (str "not an argument of a command: class=" (class argument)))))))
    (decode [_ _ _ _] (throw (UnsupportedOperationException.)))))

(defn append
  "Appends one argument: text, bytes, a number, a keyword or symbol by its name, or all elements of a
  collection; a map as alternating keys and values. An argument without a textual form fails the
  command when it is sent."
  [^CommandBuilder builder argument]
  (cond
    (string? argument) (.text builder argument)
    (bytes? argument) (.bytes builder argument)
    (map? argument) (doseq [[k v] argument] (append builder k) (append builder v))
    (coll? argument) (run! #(append builder %) argument)
    :else (if-let [text (text-of argument)]
            (.text builder text)
            (.value builder argument-codec argument)))
  builder)

(def ^:private values-of-users #{"value" "element" "member" "message" "pivot" "arg"})

(defn- kind [^CommandArgument argument]
  (keyword (str/lower-case (str (.type argument)))))

(defn- users
  "Tells for an argument, or for each part of a block, whether it is a value of the user."
  [^CommandSpec spec ^CommandArgument argument]
  (if (seq (.children argument))
    (mapcat #(users spec %) (.children argument))
    [(and (= :string (kind argument))
          (or (= "message" (.name argument)) (boolean (seq (.keySpecs spec))))
          (contains? values-of-users (.name argument)))]))

(defn- write-one [^CommandBuilder b codec user? value]
  (if (and codec user?) (.value b ^Codec codec value) (append b value)))

(defn- ends-with-member?
  "Whether an argument consists of numbers followed by a member, as in ZADD and GEOADD."
  [^CommandArgument argument]
  (let [parts (.children argument)]
    (and (= :block (kind argument)) (< 1 (count parts))
         (= "member" (.name ^CommandArgument (last parts))))))

(defn- members-last
  "The values of a map from members to numbers, in the order of the request."
  [value]
  (if (map? value)
    (into [] (mapcat (fn [[member numbers]]
                       (if (coll? numbers) (concat numbers [member]) [numbers member])))
          value)
    value))

(defn- in-turn
  "The values for a slot of `width` parts; a single map or collection stands for its elements."
  [width args]
  (let [[one] args]
    (cond
      (or (= 1 width) (next args)) args
      (map? one) (mapcat identity one)
      (sequential? one) one
      :else args)))

(defn- write-many
  "Writes all `args`; with a codec, encodes those at the positions of values of the user."
  [b codec users args]
  (if codec
    (run! (fn [[user? value]] (write-one b codec user? value))
          (map vector (cycle users) (in-turn (count users) args)))
    (run! #(append b %) args)))

;; ---- options

(defn- token-key
  "The token as a keyword; for a sign such as ~, the name of the argument."
  [^CommandArgument argument]
  (when-let [token (.token argument)]
    (keyword (if (re-find #"\w" token) (str/lower-case token) (.name argument)))))

(defn- option-keys
  "The option keys of an optional argument: its token, else those of its parts, else its name."
  [^CommandArgument argument]
  (cond
    (.token argument) [(token-key argument)]
    (seq (.children argument)) (mapcat option-keys (.children argument))
    :else [(keyword (.name argument))]))

(defn- pure? [^CommandArgument argument]
  (= :pure_token (kind argument)))

(defn- choice-of-words? [^CommandArgument argument]
  (and (= :oneof (kind argument)) (every? pure? (.children argument))))

(defn- write-tokens
  "Writes TOKEN value, repeated for each value if the table says so."
  [^CommandBuilder b ^CommandArgument argument v]
  (if (.multipleToken argument)
    (doseq [each (if (coll? v) v [v])] (.token b (.token argument)) (append b each))
    (do (.token b (.token argument)) (append b v))))

(declare option)

(defn- spelt-out
  "A function that expands {:maxlen 1000} to {:maxlen true :threshold 1000}: the value of a token that
  starts a block is the value of the block's next part without a token."
  [^CommandArgument block]
  (let [[first-part & others] (.children block)
        words (when (and first-part (choice-of-words? first-part)) (option-keys first-part))
        value-key (some #(when-not (or (.token ^CommandArgument %) (seq (.children ^CommandArgument %)))
                           (keyword (.name ^CommandArgument %)))
                        others)]
    (if (and words value-key)
      (fn [opts]
        (if-let [word (first (filter #(not (boolean? (get opts % false))) words))]
          (assoc opts word true value-key (get opts word))
          opts))
      identity)))

(defn- option
  "Returns a function [builder options] that writes an optional argument if the options name it."
  [^CommandArgument argument]
  (let [k (token-key argument)
        name-key (keyword (.name argument))]
    (cond
      (pure? argument)
      (fn [^CommandBuilder b opts]
        (when (or (get opts k) (get opts name-key)) (.token b (.token argument))))

      k
      (fn [b opts] (when-some [v (get opts k)] (write-tokens b argument v)))

      (seq (.children argument))
      (let [parts (mapv option (.children argument))
            spell-out (spelt-out argument)]
        (fn [b opts] (let [opts (spell-out opts)] (run! #(% b opts) parts))))

      :else
      (fn [b opts] (when-some [v (get opts name-key)] (append b v))))))

(defn- known-keys
  "Every option key that `option` uses."
  [^CommandArgument argument]
  (cond
    (pure? argument) [(token-key argument) (keyword (.name argument))]
    (.token argument) [(token-key argument)]
    (seq (.children argument)) (mapcat known-keys (.children argument))
    :else [(keyword (.name argument))]))

;; ---- slots

(defn- number-of-items? [^CommandArgument argument]
  (and (= :integer (kind argument)) (nil? (.token argument))
       (str/starts-with? (.name argument) "num")))

(defn- counted-block? [^CommandArgument argument]
  (and (= :block (kind argument)) (.token argument)
       (number-of-items? (first (.children argument)))))

(defn- keys-and-ids?
  "Whether an argument has the form STREAMS key [key ...] id [id ...]."
  [^CommandArgument argument]
  (and (= :block (kind argument))
       (every? #(.multiple ^CommandArgument %) (.children argument))))

(defn- named-by-options?
  "Whether a required argument may be given as an option: all its alternatives start with a token."
  [^CommandArgument argument]
  (let [starts-with-word? (fn starts-with-word? [^CommandArgument a]
                            (cond (.token a) true
                                  (= :block (kind a)) (starts-with-word? (first (.children a)))
                                  (= :oneof (kind a)) (every? starts-with-word? (.children a))))]
    (boolean (and (nil? (.token argument)) (seq (.children argument))
                  (not (choice-of-words? argument)) (starts-with-word? argument)))))

(defn- slots
  "Pairs the arguments with their kinds: :option, :slot, :counted after a number of items, or :rest
  for the optional last argument of any number."
  [arguments]
  (loop [[^CommandArgument a & others] arguments, found []]
    (cond
      (nil? a) found
      (number-of-items? a) (recur (next others) (conj found [:counted (first others)]))
      (not (.optional a)) (recur others (conj found [:slot a]))
      (and (.multiple a) (nil? (.token a)) (empty? (.children a)) (empty? others))
      (conj found [:rest a])
      :else (recur others (conj found [:option a])))))

(defn- write-counted
  "Writes the number of items, then the items of one collection or one value."
  [^CommandBuilder b codec users value]
  (let [items (cond (nil? value) nil
                    (map? value) (mapcat identity value)
                    (coll? value) value
                    :else [value])]
    (.integer b (quot (count items) (count users)))
    (write-many b codec users (if (= 1 (count users)) items [(vec items)]))))

(defn- write-streams [b value]
  (if (map? value)
    (do (append b (keys value)) (append b (vals value)))
    (append b value)))

(defn- slot-writer
  "Returns a function [builder args opts codec last?] that writes one slot and returns the remaining
  args."
  [spec ^CommandArgument argument]
  (let [token (when-not (pure? argument) (.token argument))
        users (vec (users spec argument))
        by-option (when (named-by-options? argument) (option argument))
        named (option-keys argument)
        in-order (if (ends-with-member? argument)
                   (fn [codec args] (if (and codec (next args)) args (map members-last args)))
                   (fn [_ args] args))
        write-first (cond
                      (counted-block? argument)
                      (fn [b codec v] (write-counted b codec (subvec users 1) v))
                      (keys-and-ids? argument) (fn [b _ v] (write-streams b v))
                      (< 1 (count users)) (fn [b codec v] (write-many b codec users [v]))
                      :else (fn [b codec v] (write-one b codec (first users) v)))]
    (fn [^CommandBuilder b args opts codec last?]
      (if (and by-option opts (some #(contains? opts %) named))
        (do (by-option b opts) args)
        (do
          (when token (.token b token))
          (if (and last? (.multiple argument))
            (do (write-many b codec users (in-order codec args)) nil)
            (do (when (seq args) (write-first b codec (first args))) (next args))))))))

(defn- writer [spec [what ^CommandArgument argument]]
  (let [users (vec (users spec argument))]
    (case what
      :option (let [write (option argument)]
                (fn [b args opts _ _] (when opts (write b opts)) args))
      :counted (fn [b args _ codec _] (write-counted b codec users (first args)) (next args))
      :rest (fn [b args _ codec _] (write-many b codec users args) nil)
      :slot (slot-writer spec argument))))

(defn- wrong-arguments [^CommandSpec spec problem args]
  (ex-info (str problem ": " (.usage spec))
           {:kermes.redis/error :arguments, :command (.name spec), :args (vec args)}))

(defn- refuse-unknown [^CommandSpec spec known options args]
  (when-let [unknown (first (remove known (keys options)))]
    (throw (wrong-arguments spec (str "unknown option " unknown " of " (.name spec)) args))))

(defn- options-splitter
  "Returns a function [args codec] to [positional options]. A last argument that is a map with keyword
  keys, and that no slot needs, is the options. Unknown options are refused. Such a map can be an
  ordinary value only if the command takes any number of values, and either has no options or a codec
  encodes maps."
  [spec arguments]
  (let [slot-options (for [[what a] arguments :when (and (= :slot what) (named-by-options? a))]
                       (known-keys a))
        known (into (set (mapcat (fn [[what a]] (when (= :option what) (known-keys a))) arguments))
                    cat slot-options)
        needed (- (count (filter (comp #{:slot :counted} first) arguments)) (count slot-options))
        [last-kind ^CommandArgument last-one] (last (remove (comp #{:option} first) arguments))
        takes-many? (or (= :rest last-kind) (boolean (and last-one (.multiple last-one))))
        data? (fn [candidate codec]
                (and takes-many?
                     (or (empty? known) codec)
                     (not-every? known (keys candidate))))]
    (fn [args codec]
      (let [candidate (last args)]
        (if (and (map? candidate) (seq candidate) (every? keyword? (keys candidate))
                 (< needed (count args)) (not (data? candidate codec)))
          (do (refuse-unknown spec known candidate args)
              [(butlast args) candidate])
          [args nil])))))

(defn- arguments-check
  "Returns a function [positional options codec args] that refuses too few arguments, and a map given
  for a single argument."
  [^CommandSpec spec arguments]
  (let [required (filterv (fn [[what ^CommandArgument a]]
                            (or (= :slot what) (and (= :counted what) (not (.optional a)))))
                          arguments)
        nameable (for [[_ a] required :when (named-by-options? a)] (set (known-keys a)))
        single? (fn [[what ^CommandArgument a]]
                  (and (= :slot what) (not (.multiple a)) (empty? (.children a))))
        singles (count (take-while single? (remove (comp #{:option} first) arguments)))
        map-among-singles? (fn [positional]
                             (loop [i 0, left (seq positional)]
                               (when (and left (< i singles))
                                 (or (map? (first left)) (recur (inc i) (next left))))))]
    (fn [positional opts codec args]
      (let [named (if opts (count (filter #(some % (keys opts)) nameable)) 0)]
        (when (< (+ (count positional) named) (count required))
          (throw (wrong-arguments spec (str "too few arguments for " (.name spec)) args)))
        (when (and (nil? codec) (map-among-singles? positional))
          (throw (wrong-arguments spec (str "a map as one argument of " (.name spec)) args)))))))

;; ---- the shape of the reply

(defn- find-argument [^CommandSpec spec argument-name]
  (first (filter #(= argument-name (.name ^CommandArgument %))
                 (mapcat #(tree-seq (fn [^CommandArgument a] (seq (.children a)))
                                    (fn [^CommandArgument a] (.children a)) %)
                         (.arguments spec)))))

(defn- given?
  "Returns a function [options words] that tells whether an optional argument is given; words are the
  args behind the slots."
  [^CommandArgument argument]
  (let [ks (known-keys argument)
        token (.token argument)
        is-token? #(and (or (string? %) (ident? %)) (.equalsIgnoreCase ^String token (name %)))]
    (fn [opts words]
      (or (some #(get opts %) ks)
          (if token (some is-token? words) (seq words))))))

(defn- reader-chooser
  "Returns a function [args options] to the reader of the reply."
  [^CommandSpec spec slot-count]
  (let [[usual variants] (reply/readers spec)
        variants (reverse (for [[argument-name read] variants]
                            [(given? (find-argument spec argument-name)) read]))]
    (if (empty? variants)
      (constantly usual)
      (fn [args opts]
        (let [words (nthnext args slot-count)]
          (if (or opts words)
            (or (some (fn [[given? read]] (when (given? opts words) read)) variants) usual)
            usual))))))

;; ---- commands

(defn bulk-reader
  "Returns a reader of values of the user with a codec."
  [^Codec codec]
  (let [decode (reify dev.kermes.resp.ReplyReader$BytesFunction
                 (apply [_ bytes offset length] (.decode codec bytes offset length)))]
    (fn [^dev.kermes.resp.ReplyReader in] (.readText in decode))))

(defn command-maker
  "Returns, for a row of the command table, a function from arguments and an optional codec to a
  Command."
  [^CommandSpec spec]
  (let [arguments (slots (.arguments spec))
        writers (mapv #(writer spec %) arguments)
        slot? (comp #{:slot :counted} first)
        last-slot (or (last (keep-indexed (fn [i a] (when (slot? a) i)) arguments)) -1)
        split (options-splitter spec arguments)
        check (arguments-check spec arguments)
        reader-of (reader-chooser spec (count (filter slot? arguments)))
        usual (reply/decoder (reader-of nil nil) reply/text)
        decoder (fn [read codec]
                  (cond codec (reply/decoder read (bulk-reader codec))
                        (identical? read (reader-of nil nil)) usual
                        :else (reply/decoder read reply/text)))
        build (fn [args codec]
                (let [builder (CommandBuilder/of spec)
                      [positional opts] (split args codec)
                      _ (check positional opts codec args)
                      left (loop [i 0, positional (seq positional)]
                             (if (< i (count writers))
                               (recur (inc i)
                                      ((nth writers i) builder positional opts codec (= i last-slot)))
                               positional))]
                  (run! #(append builder %) left) ; tokens, or surplus that the server refuses
                  (.build builder (decoder (reader-of positional opts) codec))))
        without-arguments (delay (build nil nil))]
    (fn make
      (^Command [args] (make args nil))
      (^Command [args codec]
       (if (or codec (seq args)) (build args codec) @without-arguments)))))

(defn plain
  "Creates a Command from a word that is not in the command table."
  ^Command [word args]
  (let [builder (CommandBuilder/of ^String word)]
    (run! #(append builder %) args)
    (.build builder reply/any)))

;; ---- names, parameters and documentation of commands

(defn specs
  "All rows of the command table that clients can call."
  []
  (filter #(and (.isCallable ^CommandSpec %) (.isForClients ^CommandSpec %))
          (.all (CommandTable/standard))))

(defn fn-name
  "The name of a command's function: config-get for config|get."
  [^CommandSpec spec]
  (str/replace (.fullName spec) #"[|_]" "-"))

(defn- argument-symbol
  "The name of an argument as a symbol; for a block without a token, the names of its parts."
  [^CommandArgument argument]
  (let [parts (when (and (= :block (kind argument)) (nil? (.token argument))) (.children argument))]
    (symbol (str/join "-" (map #(str/replace (.name ^CommandArgument %) #"[^A-Za-z0-9-]" "-")
                               (or (seq parts) [argument]))))))

(defn- plural [sym]
  (let [word (str sym)]
    (symbol (cond (str/ends-with? word "s") word
                  (str/ends-with? word "x") (str word "es")
                  (re-find #"[^aeiou]y$" word) (str/replace word #"y$" "ies")
                  :else (str word "s")))))

(defn- slot-symbols
  "The parameters for slots; the last one is variadic if the command takes any number."
  [arguments variadic?]
  (let [shown (filter (comp #{:slot :counted :rest} first) arguments)]
    (vec (mapcat (fn [i [what ^CommandArgument a]]
                   (let [last? (= i (dec (count shown)))]
                     (cond
                       (and variadic? last? (or (= :rest what) (and (= :slot what) (.multiple a))))
                       ['& (plural (argument-symbol a))]
                       (or (.multiple a) (= :rest what)) [(plural (argument-symbol a))]
                       :else [(argument-symbol a)])))
                 (range) shown))))

(defn option-names
  "The option keys of a command."
  [^CommandSpec spec]
  (let [arguments (slots (.arguments spec))]
    (distinct (concat (mapcat (fn [[what a]] (when (= :option what) (option-keys a))) arguments)
                      (mapcat (fn [[what a]] (when (and (= :slot what) (named-by-options? a))
                                               (option-keys a)))
                              arguments)))))

(defn arglists
  "The arglists of a command's function: ([client key value] [client key value {:keys [nx xx ...]}])."
  [^CommandSpec spec]
  (let [arguments (slots (.arguments spec))
        options (mapv (comp symbol name) (option-names spec))
        plain (into ['client] (slot-symbols arguments true))]
    (if (empty? options)
      (list plain)
      (list plain (conj (into ['client] (slot-symbols arguments false)) {:keys options})))))

(defn docstring
  "The docstring of a command's function: summary, usage, version and complexity."
  [^CommandSpec spec]
  (str (.summary spec) "\n\n  " (.usage spec) "\n\n  Since " (.since spec) ". " (.complexity spec)
       (when-let [since (.deprecatedSince spec)]
         (str "\n\n  Deprecated since " since
              (when-let [better (.replacedBy spec)] (str ": use " better)) "."))))
