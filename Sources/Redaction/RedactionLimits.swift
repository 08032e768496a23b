/// Bounds of redaction: the time of a text grows with its size only.
public enum RedactionLimits {
    /// The size of a text in bytes; the rest is replaced by a marker. A longer one goes through ``RedactedStream``.
    public static let textSize = 1 << 20
    /// The size in bytes from which on a secret is registered. A shorter one stands in ordinary text by chance.
    public static let leastSecretSize = 8
    /// The size of a secret in bytes. Each byte takes about 60 bytes of guarded memory.
    public static let mostSecretSize = 4_096
    /// The number of secrets that are registered at one time.
    public static let liveSecrets = 4_096
    /// How many encodings inside each other are undone: JSON in a query in JSON takes three.
    static let nestedEncodings = 3
    /// How much of a stream is looked at beyond what is written, in bytes: the size of the longest secret that is
    /// found whole, a private key in PEM.
    static let streamOverlap = 16 << 10
    /// How much of what was written stays known in a stream, in bytes: more than a URL, the longest text whose
    /// beginning tells what its end is.
    static let streamContext = 16 << 10
    /// The size of what a stream reads before it writes, in bytes.
    static let streamBlock = 256 << 10
}
