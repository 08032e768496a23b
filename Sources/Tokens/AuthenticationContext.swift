public import AuthAPI

/// How, how well and when a person showed who they are: `acr`, `amr` and `auth_time` of an access token.
public struct AuthenticationContext: Sendable, Equatable {
    /// The assurance of NIST SP 800-63B-4, as `acr`.
    public enum Assurance: String, Sendable, Comparable, CaseIterable {
        /// One factor: the device was there, and nobody was asked for a finger or a PIN.
        case aal1 = "urn:fueki:aal1"
        /// Two factors, resistant to phishing: also by a passkey that is copied between devices.
        case aal2 = "urn:fueki:aal2"
        /// Two factors, by a key that is proven to lie in hardware which it never leaves.
        case aal3 = "urn:fueki:aal3"

        public static func < (left: Assurance, right: Assurance) -> Bool { left.rawValue < right.rawValue }
    }

    /// A value of `amr` (RFC 8176 section 2).
    public enum Method: String, Sendable, CaseIterable {
        /// A key that is proven to lie in hardware. Where nothing is proven, neither this nor ``softwareKey`` is said.
        case hardwareKey = "hwk"
        /// A key that is known to lie in software, or to be copied by it.
        case softwareKey = "swk"
        /// Somebody was there.
        case userPresence = "user"
        /// More than one factor.
        case multipleFactors = "mfa"
        /// A key was proved to be possessed.
        case proofOfPossession = "pop"
    }

    /// `acr`
    public let assurance: Assurance
    /// `amr`, none twice, in a fixed order.
    public let methods: [Method]
    /// `auth_time`, in whole seconds.
    public let authenticatedAt: Timestamp

    /// Where the key of a passkey lies, as far as it is proven.
    public enum KeyStorage: Sendable, Equatable {
        /// It is not known where the key lies.
        case unknown
        /// The key lies in software.
        case software
        /// The key lies in hardware that does not give it away.
        case hardware
    }

    /// What a verified ceremony of WebAuthn showed.
    public struct Ceremony: Sendable, Equatable {
        /// Flag UP: somebody was there.
        public let userPresent: Bool
        /// Flag UV: the authenticator knew who.
        public let userVerified: Bool
        /// Flag BE: the passkey may be copied to other devices.
        public let backupEligible: Bool
        /// Where the passkey's key lies.
        public let keyStorage: KeyStorage

        /// Creates the facts of a ceremony.
        public init(userPresent: Bool, userVerified: Bool, backupEligible: Bool, keyStorage: KeyStorage) {
            self.userPresent = userPresent
            self.userVerified = userVerified
            self.backupEligible = backupEligible
            self.keyStorage = keyStorage
        }
    }

    /// What a ceremony is worth.
    public init(_ ceremony: Ceremony, at time: Timestamp) {
        // SP 800-63B-4, section 3.2.13 and appendix B: a key that can be copied is in no hardware, whatever held it when it
        // was made. What copies it is software.
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
        // RFC 8176, section 2: `hwk` and `swk` each say where the key is. Of a key that may be anywhere neither is true;
        // that one was used, `pop` says.
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

    /// The same sign-in, after it was found where the passkey's key lies, or that this was claimed without proof.
    ///
    /// - Parameter isUserVerificationTrusted: false where the authenticator is found to be one whose word about its user is
    ///   worth nothing.
    public func judged(keyStorage: KeyStorage, isUserVerificationTrusted: Bool) -> AuthenticationContext {
        AuthenticationContext(
            userPresent: methods.contains(.userPresence),
            userVerified: methods.contains(.multipleFactors) && isUserVerificationTrusted, storage: keyStorage,
            at: authenticatedAt)
    }

    /// What the sign-in is still worth: its assurance is lowered by age, and its methods and its time stay.
    ///
    /// Access tokens, introspection and the lists of sessions say what this says. A sign-in in the future, by a clock that is
    /// ahead, is as one of this moment.
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

    /// As a token has it. Nil, if a method is there twice.
    init?(assurance: Assurance, methods: [Method], authenticatedAt: Timestamp) {
        guard Set(methods).count == methods.count else { return nil }
        self.assurance = assurance
        self.methods = methods
        self.authenticatedAt = Timestamp(seconds: authenticatedAt.seconds)
    }

    /// As a row has it: `acr`, and `amr` with spaces between.
    ///
    /// - Throws: ``TokensError/damaged`` for a value that we do not know.
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

    /// `acr`
    public var acr: String { assurance.rawValue }

    /// `amr`, with spaces between.
    public var amr: String { Self.joined(methods) }

    private static func joined(_ methods: [Method]) -> String {
        methods.map(\.rawValue).joined(separator: " ")
    }

    /// Whether it was so lately that a sensitive call needs no new sign-in (RFC 9470 section 3, `max_age`).
    ///
    /// A time in the future is not fresh, beyond what the clocks of replicas differ by: nobody has signed in then.
    public func isFresh(maxAge: Timestamp.Span, now: Timestamp) -> Bool {
        let age = now.since(authenticatedAt)
        return age <= maxAge && age.milliseconds >= -TokensLimits.replicaSkew.milliseconds
    }

    /// Whether it is good enough and fresh enough; if not, the answer is `insufficient_user_authentication` (RFC 9470).
    public func satisfies(_ required: Assurance, maxAge: Timestamp.Span, now: Timestamp) -> Bool {
        aged(at: now).assurance >= required && isFresh(maxAge: maxAge, now: now)
    }
}
