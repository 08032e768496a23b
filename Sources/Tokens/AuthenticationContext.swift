public import Time

/// When and how securely a user signed in: `acr`, `amr` and `auth_time` of an access token.
public struct AuthenticationContext: Sendable, Equatable {
    /// The assurance level of NIST SP 800-63B-4, as `acr`.
    public enum Assurance: String, Sendable, Comparable, CaseIterable {
        /// One factor: the device was present, and the user was not verified.
        case aal1 = "urn:fueki:aal1"
        /// Two factors, resistant to phishing; the passkey may be one that is copied between devices.
        case aal2 = "urn:fueki:aal2"
        /// Two factors, by a key that is proven to be in hardware, which it never leaves.
        case aal3 = "urn:fueki:aal3"

        public static func < (left: Assurance, right: Assurance) -> Bool { left.rawValue < right.rawValue }
    }

    /// A value of `amr` (RFC 8176 section 2).
    public enum Method: String, Sendable, CaseIterable {
        /// The key is proven to be in hardware. If its place is unknown, neither this nor ``softwareKey`` is given.
        case hardwareKey = "hwk"
        /// The key is known to be in software, or to be copied by software.
        case softwareKey = "swk"
        /// A user was present.
        case userPresence = "user"
        /// More than one factor.
        case multipleFactors = "mfa"
        /// Possession of a key was proven.
        case proofOfPossession = "pop"
    }

    /// The assurance level (`acr`).
    public let assurance: Assurance
    /// The methods (`amr`), each once, in a fixed order.
    public let methods: [Method]
    /// The time of the sign-in (`auth_time`), in whole seconds.
    public let authenticatedAt: Timestamp

    /// The place of a passkey's key, as far as it is proven.
    public enum KeyStorage: Sendable, Equatable {
        /// The place of the key is unknown.
        case unknown
        /// The key is in software.
        case software
        /// The key is in hardware that does not give it away.
        case hardware
    }

    /// The facts of a verified WebAuthn ceremony.
    public struct Ceremony: Sendable, Equatable {
        /// Flag UP: a user was present.
        public let userPresent: Bool
        /// Flag UV: the authenticator verified the user.
        public let userVerified: Bool
        /// Flag BE: the passkey may be copied to other devices.
        public let backupEligible: Bool
        /// The place of the passkey's key.
        public let keyStorage: KeyStorage

        /// Creates the facts of a ceremony.
        public init(userPresent: Bool, userVerified: Bool, backupEligible: Bool, keyStorage: KeyStorage) {
            self.userPresent = userPresent
            self.userVerified = userVerified
            self.backupEligible = backupEligible
            self.keyStorage = keyStorage
        }
    }

    /// Creates the context of a ceremony.
    public init(_ ceremony: Ceremony, at time: Timestamp) {
        // SP 800-63B-4, section 3.2.13 and appendix B: a key that can be copied is not in hardware, wherever it was
        // made. Software copies it.
        let storage = ceremony.backupEligible ? .software : ceremony.keyStorage
        self.init(
            userPresent: ceremony.userPresent, userVerified: ceremony.userVerified, storage: storage, at: time)
    }

    private init(userPresent: Bool, userVerified: Bool, storage: KeyStorage, at time: Timestamp) {
        assurance =
            switch (userVerified, storage) {
            case (false, _): .aal1
            case (true, .unknown), (true, .software): .aal2
            case (true, .hardware): .aal3
            }
        var methods: [Method] = []
        // RFC 8176, section 2: `hwk` and `swk` each say where the key is. If that is unknown, neither is true; `pop`
        // says that a key was used.
        switch storage {
        case .unknown: break
        case .software: methods.append(.softwareKey)
        case .hardware: methods.append(.hardwareKey)
        }
        if userPresent { methods.append(.userPresence) }
        if userVerified { methods.append(.multipleFactors) }
        methods.append(.proofOfPossession)
        self.methods = methods
        authenticatedAt = Timestamp(seconds: time.seconds)
    }

    /// Returns the same sign-in, after new evidence about the passkey's key.
    ///
    /// - Parameter isUserVerificationTrusted: false if the authenticator's model is known to be broken, so that its
    ///   user verification is worth nothing.
    public func judged(keyStorage: KeyStorage, isUserVerificationTrusted: Bool) -> AuthenticationContext {
        AuthenticationContext(
            userPresent: methods.contains(.userPresence),
            userVerified: methods.contains(.multipleFactors) && isUserVerificationTrusted, storage: keyStorage,
            at: authenticatedAt)
    }

    /// Returns the present value of the sign-in: age lowers its assurance; its methods and its time stay.
    ///
    /// Access tokens, introspection and the lists of sessions use this. A sign-in in the future, by a clock that is
    /// ahead, counts as one of this moment.
    public func aged(at now: Timestamp) -> AuthenticationContext {
        let age = now.since(authenticatedAt)
        let highest: Assurance =
            if age <= TokensLimits.aal3Age {
                .aal3
            } else if age <= TokensLimits.aal2Age {
                .aal2
            } else {
                .aal1
            }
        return AuthenticationContext(aging: self, to: min(assurance, highest))
    }

    private init(aging context: AuthenticationContext, to assurance: Assurance) {
        self.assurance = assurance
        methods = context.methods
        authenticatedAt = context.authenticatedAt
    }

    /// Creates a context from a token. Nil if a method occurs twice.
    init?(assurance: Assurance, methods: [Method], authenticatedAt: Timestamp) {
        guard Set(methods).count == methods.count else { return nil }
        self.assurance = assurance
        self.methods = methods
        self.authenticatedAt = Timestamp(seconds: authenticatedAt.seconds)
    }

    /// Creates a context from a stored row: `acr`, and `amr` with spaces between its values.
    ///
    /// - Throws: ``TokensError/damaged`` for an unknown value.
    public init(acr: String, amr: String, authenticatedAt: Timestamp) throws(TokensError) {
        let methods = amr.split(separator: " ", omittingEmptySubsequences: false).compactMap {
            Method(rawValue: String($0))
        }
        guard let assurance = Assurance(rawValue: acr), Self.joined(methods) == amr,
            let context = AuthenticationContext(
                assurance: assurance, methods: methods, authenticatedAt: authenticatedAt)
        else { throw .damaged }
        self = context
    }

    /// The value of `acr`.
    public var acr: String { assurance.rawValue }

    /// The value of `amr`, with spaces between its elements.
    public var amr: String { Self.joined(methods) }

    private static func joined(_ methods: [Method]) -> String {
        methods.map(\.rawValue).joined(separator: " ")
    }

    /// Returns whether the sign-in is recent enough for a sensitive call (RFC 9470 section 3, `max_age`).
    ///
    /// A time in the future is not fresh, beyond the difference between the clocks of replicas.
    public func isFresh(maxAge: Timestamp.Span, now: Timestamp) -> Bool {
        let age = now.since(authenticatedAt)
        return age <= maxAge && age.milliseconds >= -TokensLimits.replicaSkew.milliseconds
    }

    /// Returns whether assurance and age suffice; if not, the response is `insufficient_user_authentication` (RFC
    /// 9470).
    public func satisfies(_ required: Assurance, maxAge: Timestamp.Span, now: Timestamp) -> Bool {
        aged(at: now).assurance >= required && isFresh(maxAge: maxAge, now: now)
    }
}
