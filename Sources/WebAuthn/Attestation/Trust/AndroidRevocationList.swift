internal import Encoding
internal import X509

/// Google's list of revoked or suspended certificates that attest Android keys: the response of
/// `https://android.googleapis.com/attestation/status`.
///
/// Android documentation, "Verify hardware-backed key pairs with key attestation", certificate revocation status list:
///
///     { "entries": { "c35747a084470c3135aeefe2b8d40cd6": { "status": "REVOKED", "reason": "KEY_COMPROMISE" }, … } }
///
/// Each name is a serial number in lower-case hexadecimal digits. The list has no date and no signature: fetch it by HTTPS,
/// and often.
public struct AndroidRevocationList: Sendable {
    private let serialNumbers: Set<String>

    /// Reads a list of at most ``WebAuthnLimits/revocationListBytes`` bytes.
    ///
    /// Every entry counts, whatever its status: the known ones are `REVOKED` and `SUSPENDED`, and a new one would not
    /// mean that the key is trusted.
    ///
    /// - Throws: ``MetadataFlaw/malformed``.
    public init(decoding bytes: some Collection<UInt8>) throws(MetadataFlaw) {
        guard let json = try? JSON(decoding: bytes, limit: WebAuthnLimits.revocationListBytes),
            let entries = json["entries"]?.object
        else { throw .malformed }
        var serialNumbers: Set<String> = []
        for entry in entries.members {
            guard entry.value["status"]?.string != nil, let digits = Self.canonical(entry.name) else {
                throw .malformed
            }
            serialNumbers.insert(digits)
        }
        self.serialNumbers = serialNumbers
    }

    /// How many certificates are on the list.
    public var count: Int { serialNumbers.count }

    /// Refuses a chain if one of its certificates is on the list. - Throws: ``ChainFault/revoked(position:)``.
    func refuseRevoked(among certificates: [Certificate]) throws(ChainFault) {
        for (position, certificate) in certificates.enumerated() {
            guard let digits = Self.canonical(Hex.encode(Array(certificate.serialNumber.bytes))) else { continue }
            if serialNumbers.contains(digits) { throw .revoked(position: position) }
        }
    }

    /// Returns hexadecimal digits in the form that is compared: lower case, without leading zeros; nil for other
    /// characters or no digits.
    private static func canonical(_ digits: String) -> String? {
        let digits = digits.lowercased()
        guard !digits.isEmpty, digits.utf8.allSatisfy({ Self.digits.contains($0) }) else { return nil }
        return String(digits.drop { $0 == "0" })
    }

    private static let digits = Set("0123456789abcdef".utf8)
}
