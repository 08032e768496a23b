internal import Crypto
internal import Encoding
internal import X509

/// What the FIDO Metadata Service says of one model (section 3.1.1), as far as registrations have use for it.
public struct MetadataEntry: Sendable {
    /// The model, of authenticators of FIDO2.
    public let aaguid: AAGUID?
    /// The keys that attest for a model of U2F: the SHA-1 of each key (RFC 5280, section 4.2.1.2, method 1), 20 bytes.
    public let keyIdentifiers: Set<[UInt8]>
    /// The vendor's name for the model; empty if there is none.
    public let description: String
    /// Whose certificates attest for this model. Certificates that cannot be read are left out.
    public let anchors: [TrustAnchor]
    /// What was reported, in the order of the metadata.
    public let reports: [Report]
    /// Where the model keeps keys, by the names of the FIDO Registry of Predefined Values, section 3.2: `hardware`,
    /// `secure_element`, …; empty if the metadata do not say.
    public let keyProtection: Set<String>
    /// Where the model compares PINs and fingerprints (section 3.3): `on_chip`, `software`, …
    public let matcherProtection: Set<String>
    /// How the model is attached (section 3.4): `internal`, `external`, `nfc`, …
    public let attachmentHint: Set<String>
    /// Whether the key signs nothing but FIDO's assertions, which is so where the metadata do not say (FIDO Metadata
    /// Statement, section 4).
    public let isKeyRestricted: Bool

    /// One report (section 3.1.3).
    public struct Report: Equatable, Sendable {
        /// What was reported.
        public let status: MetadataStatus
        /// From when on, in milliseconds since 1970 UTC; nil: always.
        public let effective: Int64?
        /// The only certificate that it is about, in DER; nil: all.
        public let certificate: [UInt8]?
        /// The version of the authenticator from which on it is so, such as that which an `UPDATE_AVAILABLE` brings. An
        /// attestation does not say its version.
        public internal(set) var authenticatorVersion: Int64?

        /// Whether this is a report about what made the attestation, at that time.
        func concerns(_ attestation: Attestation, at time: Int64) -> Bool {
            if let effective, time < effective { return false }
            guard let certificate, case .certified(let path) = attestation.kind,
                let reported = Certificate.reading(der: certificate)
            else { return true }
            return path.contains(reported)
        }
    }

    /// Returns the certification that holds at that time: `FIDO_CERTIFIED_L1` and above; nil if none does.
    ///
    /// The last report about the model's standing that is in effect counts. One that the certification was given up, or that
    /// the model was broken, ends it; an update that is available says nothing about it.
    ///
    /// - Parameter time: milliseconds since 1970 UTC.
    public func certification(at time: Int64) -> MetadataStatus? {
        let standing = MetadataStatus.certified.union(MetadataStatus.uncertified).union(MetadataStatus.compromised)
        let effective = reports.enumerated().filter { _, report in
            standing.contains(report.status) && (report.effective ?? .min) <= time
        }
        // By the day on which each took effect, and those of one day in the order of the file.
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
        // A certificate that cannot be read is as if there were none: then the report is about all.
        return Report(
            status: MetadataStatus(rawValue: status), effective: effective,
            certificate: try text(json["certificate"]).flatMap(der).flatMap {
                Certificate.reading(der: $0) == nil ? nil : $0
            },
            authenticatorVersion: json["authenticatorVersion"]?.number?.integer())
    }

    /// Names of a registry. A list in another form, as the second version of the service had it, says nothing.
    private static func names(_ json: JSON?) -> Set<String> { Set((json?.array ?? []).compactMap(\.string)) }

    /// Base64, in which some vendors leave line breaks.
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
