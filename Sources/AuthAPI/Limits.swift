/// How much a request may say.
public enum AuthLimits {
    /// Characters of a name that a person gives to an account, a device or a passkey: as many as a list shows.
    public static let nameCharacters = 1...64
    /// Bytes of a body. The largest is a registration with a chain of attestation certificates.
    public static let bodyBytes = 64 << 10
    /// Characters of a refresh token's text, and of a recovery code as people type it.
    public static let tokenCharacters = 1...512
    /// Passkeys of one account: the browsers take about as many to exclude.
    public static let passkeys = 20
    /// Devices of one account. One that has no session makes room for a new one.
    public static let devices = 50
    /// Sessions of one account at a time. The oldest one ends when there are more.
    public static let sessions = 100
    /// Security events of one page: as many as are opened and read within a millisecond or two.
    public static let eventsAtOnce = 1...100
    /// How many there are on a page where nothing is said.
    public static let usualEventsAtOnce = 20
}
