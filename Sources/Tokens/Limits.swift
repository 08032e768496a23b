public import Time

/// The limits of this module, each with its reason.
public enum TokensLimits {
    /// Characters of an access token. Ours have some 700; a header of HTTP that is longer is cut off by proxies.
    public static let accessTokenCharacters = 4_096

    /// Characters of a DPoP proof. With a long URL and a nonce it has some 900; a longer one would only cost work.
    public static let proofCharacters = 4_096

    /// Bytes of a proof's `jti`. RFC 9449 asks for 96 random bits or a UUID; a hundred bytes leave room for other
    /// forms.
    public static let proofIdentifierBytes = 128

    /// Bytes of a proof's URL, for the paths of this server and its proxies.
    public static let urlBytes = 2_048

    /// Depth of arrays and objects in a header or in claims: ours have a depth of two.
    public static let depth = 8

    /// Public keys that verify at one time: next, current, and retired ones whose tokens have not expired.
    public static let verificationKeys = 16

    /// Bytes of a JWKS document of another server with that many keys.
    public static let keySetBytes = 16_384

    /// Characters of a refresh token: exactly this number.
    public static let refreshTokenCharacters = 94

    /// Keys for the tags of refresh tokens at one time: the current one, and those whose tokens have not expired.
    public static let tagKeys = 16

    /// Rotations inside the window that a family records. Twelve parallel tabs make one; a client that is told to slow
    /// down loses nothing. A row stays below 1.2 KB.
    public static let recentRotations = 8

    /// Bytes of a scope, and the names in it.
    public static let scopeBytes = 512

    /// How far a proof's `iat` may be ahead of our clock (FAPI 2.0, section 5.3.2.1).
    public static let proofAhead = Timestamp.Span.seconds(10)

    /// The maximum age of a proof, by its `iat`, if no nonce is required (FAPI 2.0).
    public static let proofAge = Timestamp.Span.seconds(60)

    /// How far a proof's `iat` may be from our clock if the proof has a nonce. A client whose clock is wrong by more
    /// cannot validate a server's certificate, which is valid for at most 398 days (CA/Browser Forum, 6.3.2).
    public static let proofClock = Timestamp.Span.days(400)

    /// The maximum difference between the clocks of replicas. A replay value is kept longer by this, because a replica
    /// that is behind would still accept the proof.
    public static let replicaSkew = Timestamp.Span.seconds(60)

    /// How long after the use of the passkey a session is AAL3. SP 800-63B-4, section 2.3.3: "the overall timeout for
    /// reauthentication SHALL be no more than 12 hours".
    public static let aal3Age = Timestamp.Span.hours(12)

    /// How long after the use of the passkey a session is AAL2. SP 800-63B-4, section 2.2.3: "SHOULD be no more than 24
    /// hours". After that it is AAL1, for which section 2.1.3 recommends 30 days: the longest duration of a session.
    public static let aal2Age = Timestamp.Span.hours(24)
}
