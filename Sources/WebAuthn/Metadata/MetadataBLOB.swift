internal import Crypto
internal import CryptoExtras
internal import Encoding
internal import X509

/// What the FIDO Alliance knows about models of authenticators: whose certificates attest for each, and what was found to
/// be wrong with it (FIDO Metadata Service 3, section 3.1.7).
///
/// The file is fetched by whoever runs the server, and verified here: one that exists was signed by the service.
///
/// ```swift
/// let blob = try MetadataBLOB(
///     verifying: file, roots: [globalSign], signer: MetadataBLOB.service, atLeast: lastNumber, at: now)
/// ```
public struct MetadataBLOB: Sendable {
    /// Whom the certificate of the service itself is for. Its root has other customers.
    public static let service = "mds.fidoalliance.org"

    /// Counts the versions of the file. Keep it, and give it to the next reading.
    public let number: Int64
    /// The beginning of the day by which there is a newer file, in milliseconds since 1970 UTC.
    public let nextUpdate: Int64
    /// In the order of the file.
    public let entries: [MetadataEntry]

    private let byModel: [AAGUID: Int]
    private let byKey: [[UInt8]: [Int]]

    /// Reads and verifies a file (section 3.2).
    ///
    /// - Parameters:
    ///   - file: a JWS in its compact form, with nothing behind it but one line break.
    ///   - roots: whom to trust for the signature.
    ///   - signer: the name that the first certificate has to be for: ``service``.
    ///   - number: of the newest file that was read before, 0 if there was none. The same one may come again.
    ///   - time: milliseconds since 1970 UTC. Of a file that was kept, when it was fetched: its certificates do not live
    ///     long.
    /// - Throws: ``MetadataFlaw``. A file that is out of date is read: ``isOutOfDate(at:)`` tells.
    public init(
        verifying file: some Collection<UInt8>, roots: [TrustAnchor], signer: String, atLeast number: Int64,
        at time: Int64
    ) throws(MetadataFlaw) {
        let payload = try MetadataSignature.payload(of: file, roots: roots, signer: signer, at: time)
        try self.init(payload: payload)
        // Section 3.2, step 3: an older file would forget what was reported since.
        guard self.number >= number else { throw .rolledBack(from: number) }
    }

    /// Reads what was signed (section 3.1.6).
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
                // Which of two would be the model's?
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

    /// Whether the day by which there is a newer file is over.
    public func isOutOfDate(at time: Int64) -> Bool { time >= nextUpdate + MetadataDate.day }

    /// What is known of a model; nil if nothing is.
    public func entry(for aaguid: AAGUID) -> MetadataEntry? { byModel[aaguid].map { entries[$0] } }

    /// What is known of whatever made an attestation: of its model, or of the keys in its certificates. U2F has only keys,
    /// and several models may share one.
    func entries(for attestation: Attestation) -> [MetadataEntry] {
        if attestation.format != .fidoU2F, !attestation.aaguid.isZero {
            return entry(for: attestation.aaguid).map { [$0] } ?? []
        }
        guard case .certified(let certificates) = attestation.kind else { return [] }
        return Set(certificates.flatMap { byKey[$0.keyIdentifier] ?? [] }).sorted().map { entries[$0] }
    }
}

extension Certificate {
    /// The SHA-1 of the key (RFC 5280, section 4.2.1.2, method 1), by which metadata know it. Nothing rests on SHA-1 here:
    /// an entry that is found by it has anchors that have to be met.
    var keyIdentifier: [UInt8] { Array(Insecure.SHA1.hash(data: Array(publicKey.subjectPublicKeyInfoBytes))) }
}
