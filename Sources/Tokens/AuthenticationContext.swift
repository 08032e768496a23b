public import AuthAPI

/// How, how well and when a person showed who they are: `acr`, `amr` and `auth_time` of an access token.
public struct AuthenticationContext: Sendable, Equatable {
    /// The assurance of NIST SP 800-63B-4, as `acr`.
    public enum Assurance: String, Sendable, Comparable, CaseIterable {
        /// One factor: the device was there, and nobody was asked for a finger or a PIN.
        case aal1 = "urn:fueki:aal1"
        /// Two factors, resistant to phishing: also by a passkey that is copied between devices.
        case aal2 = "urn:fueki:aal2"
        /// Two factors, by a key that never leaves hardware which its maker vouches for.
        case aal3 = "urn:fueki:aal3"

        public static func < (left: Assurance, right: Assurance) -> Bool { left.rawValue < right.rawValue }
    }

    /// A value of `amr` (RFC 8176 section 2).
    public enum Method: String, Sendable, CaseIterable {
        /// A key in hardware.
        case hardwareKey = "hwk"
        /// A key in software, or one of which we know no better.
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

    /// What a verified ceremony of WebAuthn showed.
    public struct Ceremony: Sendable, Equatable {
        /// Flag UP: somebody was there.
        public let userPresent: Bool
        /// Flag UV: the authenticator knew who.
        public let userVerified: Bool
        /// Flag BE: the passkey may be copied to other devices.
        public let backupEligible: Bool
        /// Whether an attestation, when the passkey was made, led to a maker of hardware whom the server trusts.
        public let hardwareAttested: Bool

        public init(userPresent: Bool, userVerified: Bool, backupEligible: Bool, hardwareAttested: Bool) {
            self.userPresent = userPresent
            self.userVerified = userVerified
            self.backupEligible = backupEligible
            self.hardwareAttested = hardwareAttested
        }
    }

    /// What a ceremony is worth.
    public init(_ ceremony: Ceremony, at time: Timestamp) {
        // SP 800-63B-4, appendix B: a key that can be copied is in no hardware, whatever held it when it was made.
        let isInHardware = ceremony.hardwareAttested && !ceremony.backupEligible
        assurance =
            switch (ceremony.userVerified, isInHardware) {
            case (false, _): .aal1
            case (true, false): .aal2
            case (true, true): .aal3
            }
        var methods: [Method] = [isInHardware ? .hardwareKey : .softwareKey]
        if ceremony.userPresent { methods.append(.userPresence) }
        if ceremony.userVerified { methods.append(.multipleFactors) }
        methods.append(.proofOfPossession)
        self.methods = methods
        authenticatedAt = Timestamp(seconds: time.seconds)
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
        assurance >= required && isFresh(maxAge: maxAge, now: now)
    }
}
