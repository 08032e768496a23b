/// What names of secrets end with, in letters: `client_secret`, `X-MBX-APIKEY`, `walletPassphrase`.
enum SecretNames {
    enum Kind {
        /// The value is a secret even if it is an ordinary word.
        case password
        /// The value may be several words.
        case phrase
        /// The value is a secret unless it reads as prose or as code.
        case secret
        /// A header: the value takes the rest of its line.
        case header
        /// The name is also one of values that are public: only a value that looks drawn is a secret.
        case key
        /// A short code of digits.
        case code
        /// A connection's description, which is secret if it has a password.
        case connection
    }

    /// One line for each ending. Of a longer one the last eight letters count; one of up to four letters is a word of its
    /// own in the name.
    static let all: [(ending: String, kind: Kind)] = [
        ("password", .password), ("passwords", .password), ("passwort", .password), ("passwd", .password),
        ("pwd", .password), ("pswd", .password), ("pass", .password), ("pw", .password), ("dbpass", .password),
        ("userpass", .password), ("rootpass", .password), ("smtppass", .password), ("requirepass", .password),
        ("masterauth", .password),
        ("phrase", .phrase), ("passphrase", .phrase), ("mnemonic", .phrase), ("seedwords", .phrase),
        ("secret", .secret), ("secrets", .secret), ("secretkey", .secret), ("keybase", .secret),
        ("apikey", .secret), ("appkey", .secret), ("apisecret", .secret), ("apisign", .secret), ("apihash", .secret),
        ("privatekey", .secret), ("privkey", .secret), ("accesskey", .secret), ("accountkey", .secret),
        ("signingkey", .secret), ("encryptionkey", .secret), ("masterkey", .secret), ("authkey", .secret),
        ("sharedkey", .secret), ("token", .secret), ("tokens", .secret), ("seed", .secret),
        ("recoverycode", .secret), ("credential", .secret), ("credentials", .secret), ("sessionid", .secret),
        ("jwt", .secret), ("xprv", .secret), ("wif", .secret), ("bearer", .secret), ("dpop", .secret),
        ("authorization", .header), ("cookie", .header),
        ("key", .key), ("keyid", .key), ("auth", .key), ("creds", .key), ("pat", .key), ("sas", .key),
        ("pin", .code), ("otp", .code), ("totp", .code), ("passcode", .code), ("cvv", .code), ("cvc", .code),
        ("dsn", .connection), ("connectionstring", .connection),
    ]

    static let kinds: [UInt64: Kind] = Dictionary(
        all.map { (KeyWords.packed($0.ending.utf8.suffix(KeyWords.longestWord)), $0.kind) },
        uniquingKeysWith: { first, _ in first })

    /// Words before `key` that make it public.
    static let publicKeys = ["public", "pub", "primary", "foreign", "sort", "partition", "cache"]

    /// Values that say that there is none, or of what type it is: they are no secrets.
    static let noValues: Set<String> = [
        "null", "nil", "none", "undefined", "true", "false", "yes", "no", "on", "off", "ok", "string", "str", "bytes",
        "data", "bool", "int", "uint", "char", "void", "any", "some", "object", "optional", "required", "empty",
        "unknown",
        "hidden", "redacted", "removed", "masked", "missing", "invalid", "valid", "expired", "expected", "unset", "set",
        "default", "changed", "updated", "wrong", "bearer", "basic", "self", "this", "input", "value", "key", "name",
        "example", "option", "options", "prompt", "random", "number", "array", "list", "text", "failed", "success",
        "successful", "accepted", "eof", "throw", "public", "private", "protected", "internal", "denied", "disabled",
        "enabled", "allowed", "forbidden", "unchanged",
    ]

    /// Words of sentences and of code: a value that has one is no secret.
    static let proseWords: Set<String> = [
        "the", "a", "an", "and", "or", "of", "is", "are", "was", "be", "to", "in", "on", "for", "with", "from", "by",
        "it", "its", "as", "at", "not", "no", "must", "may", "can", "cannot", "that", "this", "which", "if", "has",
        "have", "each", "your", "their", "without", "what", "when", "who", "only", "one", "two", "let", "var", "const",
        "static", "func", "return", "try", "await", "new", "consume", "copy", "borrowing", "consuming", "inout",
        "some", "any", "throws", "async", "nil", "null", "none", "true", "false", "self", "case", "switch", "guard",
        "else", "where", "throw", "error", "catch", "read", "see", "does", "will", "should", "there", "than", "used",
        "use", "given", "do", "did", "ask", "add", "bytes", "characters",
    ]
}
