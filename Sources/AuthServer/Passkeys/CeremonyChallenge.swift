internal import AuthAPI
internal import Crypto
internal import Encoding
internal import Secrets
internal import Time

/// A WebAuthn challenge that needs no row before it is answered. Under the server's HMAC it contains its purpose,
/// account, device and expiry. The store's spent values make sure that it is used once.
///
/// `version 1 | purpose (1) | expires, milliseconds (8) | device key (32) | account, or zeros (16) | recovery code's
/// selector, or zeros (5) | random (16) | HMAC (32)`
struct CeremonyChallenge: Equatable {
    private static let version: UInt8 = 1
    static let size = 1 + 1 + 8 + 32 + 16 + RecoveryCode.selectorSize + 16 + 32

    let purpose: CeremonyPurpose
    let expires: Timestamp
    /// RFC 7638 thumbprint of the key that asked for the challenge, 32 bytes. The same key has to answer it.
    let deviceKey: [UInt8]
    /// The account; nil for a sign-in, where it is not known yet.
    let account: AccountID?
    /// The selector of the recovery code that the request contained. The code is used up when the ceremony succeeds.
    let recoverySelector: [UInt8]?
    private let random: [UInt8]

    init(
        purpose: CeremonyPurpose, expires: Timestamp, deviceKey: [UInt8], account: AccountID?,
        recoverySelector: [UInt8]? = nil, random: any RandomSource
    ) {
        precondition(deviceKey.count == 32, "a thumbprint has 32 bytes")
        self.recoverySelector = recoverySelector
        self.purpose = purpose
        self.expires = expires
        self.deviceKey = deviceKey
        self.account = account
        self.random = random.publicBytes(count: 16)
    }

    func encoded(under key: HMACKey) -> [UInt8] {
        var writer = ByteWriter()
        writer.append(Self.version)
        writer.append(purpose.byte)
        writer.bigEndian(UInt64(bitPattern: expires.milliseconds))
        writer.append(deviceKey)
        writer.append(account?.bytes ?? [UInt8](repeating: 0, count: 16))
        writer.append(recoverySelector ?? [UInt8](repeating: 0, count: RecoveryCode.selectorSize))
        writer.append(random)
        return writer.bytes + key.authenticate(Self.domain + writer.bytes)
    }

    private static let domain = Array("fuekid challenge".utf8)

    /// Reads a returned challenge.
    ///
    /// - Parameters:
    ///   - keys: the newest key, and the one before it.
    ///   - purposes: the purposes that this endpoint accepts.
    ///   - deviceKey: the key of the proof that accompanied it.
    /// - Throws: ``Problem`` with ``ProblemCode/challengeInvalid`` or ``ProblemCode/challengeExpired``.
    init(
        _ bytes: [UInt8], under keys: [HMACKey], for purposes: Set<CeremonyPurpose>, from deviceKey: [UInt8],
        now: Timestamp
    ) throws(Problem) {
        let body = Array(bytes.dropLast(32))
        guard bytes.count == Self.size, keys.contains(where: { $0.isValid(bytes.suffix(32), for: Self.domain + body) })
        else { throw Problem(.challengeInvalid) }
        do {
            var reader = try ByteReader(body, limit: Self.size)
            guard try reader.uint8() == Self.version, let purpose = CeremonyPurpose(byte: try reader.uint8()) else {
                throw Problem(.challengeInvalid)
            }
            self.purpose = purpose
            expires = Timestamp(milliseconds: Int64(bitPattern: try reader.bigEndian(UInt64.self)))
            self.deviceKey = Array(try reader.bytes(32))
            let account = Array(try reader.bytes(16))
            self.account = account.allSatisfy { $0 == 0 } ? nil : AccountID(bytes: account)
            let selector = Array(try reader.bytes(RecoveryCode.selectorSize))
            recoverySelector = purpose == .recovery ? selector : nil
            random = Array(try reader.bytes(16))
        } catch {
            throw Problem(.challengeInvalid)
        }
        guard purposes.contains(purpose), self.deviceKey == deviceKey else { throw Problem(.challengeInvalid) }
        guard now < expires else { throw Problem(.challengeExpired) }
    }

    /// Returns the hash by which the store remembers a used challenge: 32 bytes.
    static func spentValue(of bytes: [UInt8]) -> [UInt8] {
        Array(SHA256.hash(data: Array("fuekid spent challenge".utf8) + bytes))
    }
}

extension CeremonyPurpose {
    fileprivate var byte: UInt8 {
        switch self {
        case .signUp: 1
        case .addPasskey: 2
        case .signIn: 3
        case .stepUp: 4
        case .recovery: 5
        case .deviceAttestation: 6
        }
    }

    fileprivate init?(byte: UInt8) {
        guard let purpose = Self.allCases.first(where: { $0.byte == byte }) else { return nil }
        self = purpose
    }
}
