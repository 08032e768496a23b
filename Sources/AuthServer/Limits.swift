/// How much anybody may ask of the server at once. What an account may have is in `AuthLimits`.
enum Limits {
    /// Bytes of all header fields of one request. A DPoP proof and an access token take about 2,000.
    static let headerBytes = 16 << 10
    static let headerFields = 64
    /// Bytes of an address with its query: what every server should take (RFC 9110 section 4.1), which is more than any of ours
    /// has. It lies below ``headerBytes``, so that it can be told from them.
    static let addressBytes = 8_000
    /// Seconds after which a connection on which nothing happens is closed.
    static let idleConnectionSeconds: Int64 = 60
    /// Milliseconds in which a request has to arrive, from its head to its end. The longest of ours has 64 KiB.
    static let requestMilliseconds: Int64 = 30_000
    /// Seconds that requests under way are given when the server stops.
    static let shutdownSeconds: Int64 = 20
    /// Connections at a time; more wait in the system's queue.
    static let connections = 4_096
    /// Seconds for which a challenge of WebAuthn is good: as long as the browser's time limit, and a little more.
    static let challengeSeconds: Int64 = 5 * 60
    /// The time limit that the browser is told, in milliseconds.
    static let ceremonyMilliseconds: UInt32 = 4 * 60 * 1_000
    /// How often a sign-in is begun again because another one with the same passkey came between.
    static let overtakings = 4
    /// Recovery codes of one account.
    static let recoveryCodes = 10
}
