internal import Crypto
internal import CryptoExtras
internal import Encoding
internal import X509

/// FIDO's metadata about models of authenticators: the certificates that attest for each, and reported weaknesses (FIDO
/// Metadata Service 3, section 3.1.7).
///
/// The operator fetches the file, and it is verified here: every value of this type was signed by the service.
///
/// ```swift
/// let blob = try MetadataBLOB(
///     verifying: file, roots: [globalSign], signer: MetadataBLOB.service, atLeast: lastNumber, at: now)
/// ```
public struct MetadataBLOB: Sendable {
    /// The host name in the service's own certificate. Its root also issues for others.
    public static let service = "mds.fidoalliance.org"

    /// The version number of the file. Store it, and pass it to the next reading.
    public let number: Int64
    /// The beginning of the day on which a newer file is due, in milliseconds since 1970 UTC.
    public let nextUpdate: Int64
    /// The entries, in the order of the file.
    public let entries: [MetadataEntry]

    private let byModel: [AAGUID: Int]
    private let byKey: [[UInt8]: [Int]]

    /// Reads and verifies a file (section 3.2).
    ///
    /// - Parameters:
    ///   - file: a JWS in its compact form, with at most one line break after it.
    ///   - roots: the roots that are trusted for the signature.
    ///   - signer: the name in the first certificate: ``service``.
    ///   - number: the number of the newest file that was read before, 0 if there was none. The same one may come
    ///     again.
    ///   - time: milliseconds since 1970 UTC. For a stored file, the time when it was fetched: its certificates are
    ///     short-lived.
    /// - Throws: ``MetadataFlaw``. A file that is out of date is read: ``isOutOfDate(at:)`` reports it.
    public init(
        verifying file: some Collection<UInt8>, roots: [TrustAnchor], signer: String, atLeast number: Int64,
        at time: Int64
    ) throws(MetadataFlaw) {
        let payload = try MetadataSignature.payload(of: file, roots: roots, signer: signer, at: time)
        try self.init(payload: payload)
        // Section 3.2, step 3: an older file would lack newer reports.
        guard self.number >= number else { throw .rolledBack(from: number) }
    }

    /// Reads the signed payload (section 3.1.6).
    init(payload: [UInt8]) throws(MetadataFlaw) {
        guard let json = try? JSON(decoding: payload, limit: WebAuthnLimits.metadataBytes),
            let number: Int64 = json["no"]?.number?.integer(), number >= 0,
            let nextUpdate = json["nextUpdate"]?.string.flatMap(MetadataDate.start),
            let list = json["entries"]?.array
        else { throw .malformed }
        var entries: [MetadataEntry] = []
        var byModel: [AAGUID: Int] = [:]
        var byKey: [[UInt8]: [Int]] = [:]
        for (position, item) in list.enumerated() {
            let entry = try MetadataEntry(item)
            if let aaguid = entry.aaguid {
                // With two entries, the model's would be ambiguous.
                guard byModel.updateValue(position, forKey: aaguid) == nil else { throw .malformed }
            }
            for identifier in entry.keyIdentifiers { byKey[identifier, default: []].append(position) }
            entries.append(entry)
        }
        self.number = number
        self.nextUpdate = nextUpdate
        self.entries = entries
        self.byModel = byModel
        self.byKey = byKey
    }

    /// Returns whether the day on which a newer file is due is over.
    public func isOutOfDate(at time: Int64) -> Bool { time >= nextUpdate + MetadataDate.day }

    /// Returns the entry of a model; nil for an unknown model.
    public func entry(for aaguid: AAGUID) -> MetadataEntry? { byModel[aaguid].map { entries[$0] } }

    /// Returns the entries for an attestation: by its model, or by the keys in its certificates. U2F has only keys, and
    /// several models may share one.
    func entries(for attestation: Attestation) -> [MetadataEntry] {
        if attestation.format != .fidoU2F, !attestation.aaguid.isZero {
            return entry(for: attestation.aaguid).map { [$0] } ?? []
        }
        guard case .certified(let certificates) = attestation.kind else { return [] }
        return Set(certificates.flatMap { byKey[$0.keyIdentifier] ?? [] }).sorted().map { entries[$0] }
    }
}

extension Certificate {
    /// The SHA-1 of the key (RFC 5280, section 4.2.1.2, method 1), by which metadata refer to it. No security depends
    /// on SHA-1 here: an entry that is found by it has anchors that must be met.
    var keyIdentifier: [UInt8] { Array(Insecure.SHA1.hash(data: Array(publicKey.subjectPublicKeyInfoBytes))) }
}
