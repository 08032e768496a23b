/// The limits of requests.
public enum AuthLimits {
    /// The number of characters of a user's name for an account, a device or a passkey: the most that a list shows.
    public static let nameCharacters = 1...64
    /// Bytes of a body. The largest is a registration with a chain of attestation certificates.
    public static let bodyBytes = 64 << 10
    /// Characters of a refresh token, and of a recovery code as users type it.
    public static let tokenCharacters = 1...512
    /// Passkeys of one account: browsers accept about as many to exclude.
    public static let passkeys = 20
    /// Devices of one account. A device without a session makes room for a new one, or else
    /// the device that was not used for longest.
    public static let devices = 50
    /// Sessions of one account at a time. The oldest one ends when there are more.
    public static let sessions = 100
    /// Seconds for which an answer may tell a client to wait. The refill rates of the server's limits are at least one a
    /// minute; a client that trusts any number could be made to wait for ever.
    public static let waitSeconds = 0...3600
    /// The lifetime of an access token in an answer, in seconds. The server's setting is at most 900; a client that trusts
    /// any number would never renew the token.
    public static let accessTokenSeconds: ClosedRange<Int64> = 0...3600
    /// The number of security events on one page: the most that can be decrypted in a millisecond or two.
    public static let eventsAtOnce = 1...100
    /// The number of events on a page by default.
    public static let usualEventsAtOnce = 20
}
