internal import Crypto
internal import Encoding
internal import X509

/// The FIDO Metadata Service's entry for one model (section 3.1.1), as far as registrations need it.
public struct MetadataEntry: Sendable {
    /// The model, for authenticators of FIDO2.
    public let aaguid: AAGUID?
    /// The keys that attest for a U2F model: the SHA-1 of each key (RFC 5280, section 4.2.1.2, method 1), 20 bytes.
    public let keyIdentifiers: Set<[UInt8]>
    /// The vendor's name for the model; empty without one.
    public let description: String
    /// The anchors for this model. Certificates that cannot be read are left out.
    public let anchors: [TrustAnchor]
    /// The reports, in the order of the metadata.
    public let reports: [Report]
    /// The places where the model keeps keys, by the names of the FIDO Registry of Predefined Values, section 3.2:
    /// `hardware`, `secure_element`, …; empty if the metadata do not say.
    public let keyProtection: Set<String>
    /// The places where the model compares PINs and fingerprints (section 3.3): `on_chip`, `software`, …
    public let matcherProtection: Set<String>
    /// How the model is attached (section 3.4): `internal`, `external`, `nfc`, …
    public let attachmentHint: Set<String>
    /// Whether the key signs only FIDO's assertions, which is the default if the metadata do not say (FIDO Metadata
    /// Statement, section 4).
    public let isKeyRestricted: Bool

    /// One report (section 3.1.3).
    public struct Report: Equatable, Sendable {
        /// The reported status.
        public let status: MetadataStatus
        /// The time from which it holds, in milliseconds since 1970 UTC; nil for always.
        public let effective: Int64?
        /// The only certificate that it concerns, in DER; nil for all.
        public let certificate: [UInt8]?
        /// The version of the authenticator from which it holds, such as the version of an `UPDATE_AVAILABLE`. An
        /// attestation does not contain its version.
        public internal(set) var authenticatorVersion: Int64?

        /// Returns whether the report concerns the authenticator of an attestation, at that time.
        func concerns(_ attestation: Attestation, at time: Int64) -> Bool {
            if let effective, time < effective { return false }
            guard let certificate, case .certified(let path) = attestation.kind,
                let reported = Certificate.reading(der: certificate)
            else { return true }
            return path.contains(reported)
        }
    }

    /// Returns the certification that is valid at that time: `FIDO_CERTIFIED_L1` and above; nil if none is.
    ///
    /// The last effective report about the model's standing counts. A report that the certification ended, or that the
    /// model was broken, ends it; an available update says nothing about it.
    ///
    /// - Parameter time: milliseconds since 1970 UTC.
    public func certification(at time: Int64) -> MetadataStatus? {
        let standing = MetadataStatus.certified.union(MetadataStatus.uncertified).union(MetadataStatus.compromised)
        let effective = reports.enumerated().filter { _, report in
            standing.contains(report.status) && (report.effective ?? .min) <= time
        }
        // By the day of effect, and within one day in the order of the file.
        let last = effective.max { left, right in
            (left.element.effective ?? .min, left.offset) < (right.element.effective ?? .min, right.offset)
        }
        guard let status = last?.element.status, MetadataStatus.certified.contains(status) else { return nil }
        return status
    }

    init(_ json: JSON) throws(MetadataFlaw) {
        guard json.object != nil else { throw .malformed }
        aaguid = try Self.text(json["aaguid"]).map { text throws(MetadataFlaw) in
            guard let aaguid = try? AAGUID(text) else { throw .malformed }
            return aaguid
        }
        var identifiers: Set<[UInt8]> = []
        for item in try Self.list(json["attestationCertificateKeyIdentifiers"]) {
            guard let text = item.string, let bytes = try? Hex.decode(text), bytes.count == Insecure.SHA1.byteCount
            else { throw .malformed }
            identifiers.insert(bytes)
        }
        keyIdentifiers = identifiers
        let statement = json["metadataStatement"]
        description = try Self.text(statement?["description"]) ?? ""
        anchors = try Self.list(statement?["attestationRootCertificates"]).compactMap { item in
            item.string.flatMap(Self.der).flatMap(TrustAnchor.init(der:))
        }
        keyProtection = Self.names(statement?["keyProtection"])
        matcherProtection = Self.names(statement?["matcherProtection"])
        attachmentHint = Self.names(statement?["attachmentHint"])
        isKeyRestricted = statement?["isKeyRestricted"].map { $0.bool ?? false } ?? true
        var reports: [Report] = []
        for item in try Self.list(json["statusReports"]) { reports.append(try Self.report(item)) }
        self.reports = reports
    }

    private static func report(_ json: JSON) throws(MetadataFlaw) -> Report {
        guard let status = json["status"]?.string else { throw .malformed }
        var effective: Int64?
        if let date = try text(json["effectiveDate"]) {
            guard let start = MetadataDate.start(of: date) else { throw .malformed }
            effective = start
        }
        // An unreadable certificate is treated as missing: the report then concerns all.
        return Report(
            status: MetadataStatus(rawValue: status), effective: effective,
            certificate: try text(json["certificate"]).flatMap(der).flatMap {
                Certificate.reading(der: $0) == nil ? nil : $0
            },
            authenticatorVersion: json["authenticatorVersion"]?.number?.integer())
    }

    /// Returns the names of a registry; empty for a list in another form, as in the service's second version.
    private static func names(_ json: JSON?) -> Set<String> { Set((json?.array ?? []).compactMap(\.string)) }

    /// Decodes Base64, in which some vendors leave line breaks.
    private static func der(_ text: String) -> [UInt8]? {
        try? Base64.decode(String(text.unicodeScalars.filter { !$0.properties.isWhitespace }.map(Character.init)))
    }

    private static func text(_ json: JSON?) throws(MetadataFlaw) -> String? {
        guard let json else { return nil }
        guard let text = json.string else { throw .malformed }
        return text
    }

    private static func list(_ json: JSON?) throws(MetadataFlaw) -> [JSON] {
        guard let json else { return [] }
        guard let list = json.array else { throw .malformed }
        return list
    }
}
