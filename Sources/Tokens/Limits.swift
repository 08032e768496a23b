public import AuthAPI

/// The limits of this module, each with its why.
public enum TokensLimits {
    /// Characters of an access token. Ours have some 700; a header of HTTP that is longer is cut off by proxies.
    public static let accessTokenCharacters = 4_096

    /// Characters of a DPoP proof. With a long URL and a nonce it has some 900; what is longer is work for nothing.
    public static let proofCharacters = 4_096

    /// Bytes of a proof's `jti`. 96 random bits, or a UUID, are what RFC 9449 asks for; a hundred leave room for habits.
    public static let proofIdentifierBytes = 128

    /// Bytes of the URL that a proof is for, as in the paths of this server and its proxies.
    public static let urlBytes = 2_048

    /// Arrays and objects inside each other in a header or in claims: ours nest two.
    public static let depth = 8

    /// Public keys that verify at one time: next, current, and those retired whose tokens still live.
    public static let verificationKeys = 16

    /// Bytes of a JWKS document with that many keys, written by somebody else.
    public static let keySetBytes = 16_384

    /// Characters of a refresh token, which has neither more nor less.
    public static let refreshTokenCharacters = 94

    /// Keys for the tags of refresh tokens at one time: the current one, and those whose tokens still live.
    public static let tagKeys = 16

    /// Rotations inside the window that a family remembers. Twelve parallel tabs make one; a client that is told to slow
    /// down has lost nothing. A row stays below 1.2 KB.
    public static let recentRotations = 8

    /// Bytes of a scope, and the names in it.
    public static let scopeBytes = 512

    /// How far ahead of our clock a proof's `iat` may lie (FAPI 2.0, section 5.3.2.1).
    public static let proofAhead = Timestamp.Span.seconds(10)

    /// How old a proof may be, by its `iat`, where no nonce is demanded (FAPI 2.0).
    public static let proofAge = Timestamp.Span.seconds(60)

    /// How far the clocks of replicas may lie apart. A replay is kept so much longer, because a replica that is behind
    /// would still accept the proof.
    public static let replicaSkew = Timestamp.Span.seconds(60)

    /// How long after the passkey was used a session is AAL3. SP 800-63B-4, section 2.3.3: "the overall timeout for
    /// reauthentication SHALL be no more than 12 hours".
    public static let aal3Age = Timestamp.Span.hours(12)

    /// How long after the passkey was used a session is AAL2. SP 800-63B-4, section 2.2.3: "SHOULD be no more than 24 hours".
    /// After that it is AAL1, for which section 2.1.3 recommends 30 days: the longest that a session lasts.
    public static let aal2Age = Timestamp.Span.hours(24)
}
