/// The limits of requests, answers, certificates, connections and pin policies.
public enum HTTPLimits {
    /// The default maximum size of an answer's body: 4 MiB. Larger answers are asked for explicitly.
    public static let answerBytes = 4 << 20
    /// The default time-out of an answer: the usual one of HTTP clients.
    public static let answerTimeout = Duration.seconds(30)
    /// The default time-out of a connection with its TLS handshake.
    public static let connectTimeout = Duration.seconds(10)
    /// The maximum length of a path with its query: most servers refuse longer ones.
    public static let targetBytes = 8_000
    /// The maximum size of one header: most servers refuse longer ones.
    public static let headerBytes = 8_000
    /// The maximum number of headers of a request.
    public static let requestHeaders = 50

    /// The maximum size of an answer's status line and headers together. Servers send less than 8 KiB; those with many
    /// cookies and a content security policy send up to 16 KiB.
    public static let headBytes = 32 << 10
    /// The maximum number of headers of an answer. Each takes about a hundred bytes of memory besides its text.
    public static let answerHeaders = 200
    /// The maximum number of interim answers (1xx) before an answer: a server sends one or two.
    public static let interimAnswers = 8
    /// The maximum length of the line before a chunk, with its extensions, which servers do not use.
    public static let chunkLineBytes = 256
    /// The bytes of an answer that a connection buffers before it stops to read from the network.
    static let bufferedBytes = 256 << 10

    /// The maximum number of certificates that a server may present. Chains in use have two to five; servers that present
    /// cross-signed authorities and forgotten ones have been seen with thirty. All of them together fit the 100 KiB that
    /// the TLS library reads.
    public static let presentedCertificates = 36
    /// The maximum size of one certificate. Those in use have less than 4 KiB; a signature of ML-DSA-65 adds 3.3 KiB,
    /// its key 2 KiB.
    public static let certificateBytes = 16 << 10
    /// The maximum number of issuers that the search for a chain tries. A chain in use needs three; one of
    /// ``presentedCertificates``, each with seven namesakes, is found. Without this limit ten certificates that name each
    /// other as issuers cost millions of signature verifications.
    public static let issuerCandidates = 256
    /// The maximum number of comparisons of names with constraints in a search; eight bytes that are read count as one. An
    /// authority has up to a hundred constraints, a certificate up to a hundred names. Without this limit a chain of 100
    /// KiB costs many millions.
    public static let nameComparisons = 250_000
    /// The maximum number of trusted certificates that a client is given.
    public static let roots = 1_000
    /// The maximum length of a certificate's name for people.
    public static let subjectCharacters = 200

    /// The maximum length of a proxy's address with user and password, each of at most 255 bytes and percent-encoded.
    static let proxyURLCharacters = 2_048

    /// The maximum size of a pin policy. An entry has about 500 bytes.
    public static let policyBytes = 256 << 10
    /// The maximum size of a signed pin policy, which contains the policy in Base64.
    public static let signedPolicyBytes = 384 << 10
    /// The maximum number of hosts in a pin policy.
    public static let policyHosts = 500
    /// The maximum number of pins of a host, and of its backup pins.
    public static let pinsPerHost = 20
    /// The maximum number of names that an entry excludes.
    public static let exclusionsPerHost = 50
    /// The maximum number of keys that may sign pin policies: the present one and its successors.
    public static let policyKeys = 4
    /// How far the clock may be ahead of the latest authenticated time for it to end pins that fail open: see
    /// ``HostPins/AfterExpiry/connect``.
    public static let believedAdvance: UInt64 = 7 * 86_400
    /// The time before their expiry in which a check of a policy warns about pins: time for a release of an app.
    public static let expiryWarning: UInt64 = 60 * 86_400
    /// The pause between two reports of one kind about one host.
    public static let reportInterval: UInt64 = 86_400

    /// The default maximum number of simultaneous requests to one origin: the usual one of HTTP clients.
    public static let connectionsPerOrigin = 6
    /// The default maximum number of simultaneous requests.
    public static let connections = 64
    /// The default maximum number of idle connections.
    public static let idleConnections = 16
    /// The default time after which an idle connection is closed. Servers close theirs after 60 seconds or more.
    public static let idleTime = Duration.seconds(30)

    /// The default number of attempts of a request that may be repeated.
    public static let attempts = 3
    /// The default longest pause before the second attempt; it doubles with each attempt.
    public static let firstPause = Duration.milliseconds(250)
    /// The default longest pause between two attempts.
    public static let longestPause = Duration.seconds(8)
    /// The default longest time that a server's `Retry-After` may ask for. With a longer one the answer is returned.
    public static let longestRetryAfter = Duration.seconds(30)

    /// The maximum length of a proxy's user name and of its password (RFC 1929).
    public static let proxyCredentialBytes = 255
}
