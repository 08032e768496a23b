internal import SwiftASN1

/// The description of a key by Android's key store: the extension 1.3.6.1.4.1.11129.2.1.17 of the key's certificate.
///
/// Android documentation, "Verify hardware-backed key pairs with key attestation", schema of the extension:
///
///     KeyDescription ::= SEQUENCE { attestationVersion INTEGER, attestationSecurityLevel SecurityLevel,
///         keyMintVersion INTEGER, keyMintSecurityLevel SecurityLevel, attestationChallenge OCTET STRING,
///         uniqueId OCTET STRING, softwareEnforced AuthorizationList, hardwareEnforced AuthorizationList }
///
/// Of the lists this reads only what WebAuthn needs, and the root of trust: each version of Android adds fields.
struct AndroidKeyDescription: Equatable, Sendable {
    static let identifier: ASN1ObjectIdentifier = [1, 3, 6, 1, 4, 1, 11129, 2, 1, 17]
    /// `KM_ORIGIN_GENERATED`.
    static let generated = 0
    /// `KM_PURPOSE_SIGN`.
    static let sign = 2

    /// The place of an operation, or of a key.
    enum SecurityLevel: Int, Equatable, Sendable {
        case software, trustedEnvironment, strongBox
    }

    /// The state of the device's boot: `RootOfTrust` of the schema.
    struct RootOfTrust: Equatable, Sendable {
        /// Whether the boot loader is locked, so that it boots only signed systems.
        let isDeviceLocked: Bool
        let state: BootState
    }

    /// `VerifiedBootState`.
    enum BootState: Int, Equatable, Sendable {
        /// Signed by the device's manufacturer.
        case verified
        /// Signed by a key that the device's owner has installed.
        case selfSigned
        case unverified
        case failed
    }

    /// The level that makes the attestation.
    let attestationSecurityLevel: SecurityLevel
    /// The level that keeps the key.
    let keySecurityLevel: SecurityLevel
    /// The challenge that the app gave.
    let challenge: [UInt8]
    /// The authorizations that Android enforces, and a rooted device need not.
    let softwareEnforced: Authorizations
    /// The authorizations that the secure hardware enforces.
    let hardwareEnforced: Authorizations

    /// The place of the key. It is in hardware only if hardware both keeps and attests it, states that it generated the
    /// key for signing, and is in a locked device that booted its manufacturer's system. On other devices the system
    /// that uses the hardware is untrusted.
    var place: KeyProtection.Place {
        guard attestationSecurityLevel != .software, keySecurityLevel != .software else { return .software }
        guard hardwareEnforced.origin == Self.generated, hardwareEnforced.purposes == [Self.sign],
            let root = hardwareEnforced.rootOfTrust, root.isDeviceLocked, root.state == .verified
        else { return .unknown }
        return attestationSecurityLevel == .strongBox && keySecurityLevel == .strongBox ? .secureElement : .tee
    }

    /// The part of an `AuthorizationList` that is needed here; nil for missing fields.
    struct Authorizations: Equatable, Sendable {
        /// `purpose`: 2 is `KM_PURPOSE_SIGN`.
        var purposes: Set<Int>?
        /// `origin`: 0 is `KM_ORIGIN_GENERATED`.
        var origin: Int?
        /// `allApplications`: every app on the device may use the key.
        var allApplications = false
        /// `rootOfTrust`; nil also if it cannot be read, which WebAuthn does not forbid.
        var rootOfTrust: RootOfTrust?

        init(
            purposes: Set<Int>? = nil, origin: Int? = nil, allApplications: Bool = false,
            rootOfTrust: RootOfTrust? = nil
        ) {
            self.purposes = purposes
            self.origin = origin
            self.allApplications = allApplications
            self.rootOfTrust = rootOfTrust
        }
    }

    /// - Throws: `ASN1Error` for invalid DER.
    init(derEncoded bytes: ArraySlice<UInt8>) throws {
        self = try DER.sequence(try DER.parse(bytes), identifier: .sequence) { nodes in
            _ = try Int(derEncoded: &nodes)
            let attestationLevel = try SecurityLevel(derEncoded: &nodes)
            _ = try Int(derEncoded: &nodes)
            let keyLevel = try SecurityLevel(derEncoded: &nodes)
            let challenge = try ASN1OctetString(derEncoded: &nodes)
            _ = try ASN1OctetString(derEncoded: &nodes)
            return AndroidKeyDescription(
                attestationSecurityLevel: attestationLevel, keySecurityLevel: keyLevel,
                challenge: Array(challenge.bytes), softwareEnforced: try Authorizations(derEncoded: &nodes),
                hardwareEnforced: try Authorizations(derEncoded: &nodes))
        }
    }

    init(
        attestationSecurityLevel: SecurityLevel, keySecurityLevel: SecurityLevel, challenge: [UInt8],
        softwareEnforced: Authorizations, hardwareEnforced: Authorizations
    ) {
        self.attestationSecurityLevel = attestationSecurityLevel
        self.keySecurityLevel = keySecurityLevel
        self.challenge = challenge
        self.softwareEnforced = softwareEnforced
        self.hardwareEnforced = hardwareEnforced
    }
}

extension AndroidKeyDescription.SecurityLevel {
    fileprivate init(derEncoded nodes: inout ASN1NodeCollection.Iterator) throws {
        guard let node = nodes.next(),
            let level = Self(rawValue: try Int(derEncoded: node, withIdentifier: .enumerated))
        else {
            throw ASN1Error.invalidASN1Object(reason: "no security level")
        }
        self = level
    }
}

extension AndroidKeyDescription.RootOfTrust {
    /// `SEQUENCE { verifiedBootKey OCTET STRING, deviceLocked BOOLEAN, verifiedBootState VerifiedBootState,
    /// verifiedBootHash OCTET STRING }`. Versions 1 and 2 have no hash.
    fileprivate init(derEncoded node: ASN1Node) throws {
        self = try DER.sequence(node, identifier: .sequence) { nodes in
            _ = try ASN1OctetString(derEncoded: &nodes)
            let isLocked = try Bool(derEncoded: &nodes)
            guard let node = nodes.next(),
                let state = AndroidKeyDescription.BootState(
                    rawValue: try Int(derEncoded: node, withIdentifier: .enumerated))
            else { throw ASN1Error.invalidASN1Object(reason: "no boot state") }
            if let hash = nodes.next() { _ = try ASN1OctetString(derEncoded: hash) }
            return Self(isDeviceLocked: isLocked, state: state)
        }
    }
}

extension AndroidKeyDescription.Authorizations {
    private enum Tag {
        static let purpose: UInt = 1
        static let allApplications: UInt = 600
        static let origin: UInt = 702
        static let rootOfTrust: UInt = 704
    }

    fileprivate init(derEncoded nodes: inout ASN1NodeCollection.Iterator) throws {
        guard let node = nodes.next() else { throw ASN1Error.invalidASN1Object(reason: "no list") }
        self = try DER.sequence(node, identifier: .sequence) { fields in
            var list = Self()
            var seen: Set<UInt> = []
            while let field = fields.next() {
                // Explicit tags of the context, each at most once: with two origins, the key's would be ambiguous.
                guard field.identifier.tagClass == .contextSpecific,
                    seen.insert(field.identifier.tagNumber).inserted, case .constructed(let content) = field.content
                else { throw ASN1Error.unexpectedFieldType(field.identifier) }
                var values = content.makeIterator()
                guard let value = values.next(), values.next() == nil else {
                    throw ASN1Error.invalidASN1Object(reason: "not one value below a tag")
                }
                switch field.identifier.tagNumber {
                case Tag.purpose: list.purposes = Set(try DER.set(of: Int.self, identifier: .set, rootNode: value))
                case Tag.origin: list.origin = try Int(derEncoded: value)
                case Tag.allApplications: list.allApplications = true
                case Tag.rootOfTrust:
                    list.rootOfTrust = try? AndroidKeyDescription.RootOfTrust(derEncoded: value)
                default: break
                }
            }
            return list
        }
    }
}
