internal import Crypto
internal import CryptoExtras
internal import Encoding
internal import TestSupport
internal import Testing
internal import X509

@testable internal import WebAuthn

@Suite("Where keys are kept, and the evidence for it")
struct KeyProtectionTests {
    private typealias Description = AttestationAndroidKeyTests.Description
    private static let now = MintedRegistration.now
    private let registration = MintedRegistration()
    private let root: MintedAuthority
    private let certificate: Certificate

    init() throws {
        root = try MintedAuthority()
        certificate = try root.issue(try MintedAuthority.leaf(), for: .init(P256.Signing.PrivateKey().publicKey))
    }

    private func attestation(
        _ format: AttestationFormat, _ stated: StatedProtection = .nothing, _ certificates: [Certificate]? = nil
    ) -> Attestation {
        Attestation(
            format: format, kind: .certified(certificates ?? [certificate]), aaguid: registration.model, stated: stated)
    }

    private func policy(_ change: (inout AttestationPolicy) throws -> Void = { _ in }) throws -> AttestationPolicy {
        var policy = AttestationPolicy.anything
        for format in AttestationFormat.allCases { policy.anchors[format] = [try root.anchor] }
        policy.revocations = try AndroidRevocationList(decoding: Array(#"{"entries":{}}"#.utf8))
        try change(&policy)
        return policy
    }

    private func protection(
        of attestation: Attestation, by policy: AttestationPolicy, sourceLocation: SourceLocation = #_sourceLocation
    ) throws -> KeyProtection {
        guard case .accepted(let trust) = policy.decision(on: attestation, at: Self.now) else {
            Issue.record("refused", sourceLocation: sourceLocation)
            return .unknown
        }
        return policy.keyProtection(of: attestation, trusted: trust, at: Self.now)
    }

    // MARK: By the statement

    @Test("a trusted certificate does not tell where the key is kept: it may be a software key's")
    func anchorsProveNothing() throws {
        for format in [.packed, .fidoU2F] as [AttestationFormat] {
            #expect(try protection(of: attestation(format), by: try policy()) == .unknown)
        }
        #expect(!KeyProtection.unknown.isHardware)
    }

    @Test("a statement about its key counts only with an anchor")
    func anchored() throws {
        let staying = StatedProtection.tpm(staysInside: true, hasWeakHash: false)
        let cases: [(AttestationFormat, StatedProtection, KeyProtection)] = [
            (.tpm, staying, KeyProtection(place: .hardware, evidence: .tpm)),
            (.tpm, .tpm(staysInside: false, hasWeakHash: false), KeyProtection(place: .unknown, evidence: .tpm)),
            (.apple, .secureEnclave, KeyProtection(place: .secureElement, evidence: .apple)),
        ]
        for (format, stated, expected) in cases {
            #expect(try protection(of: attestation(format, stated), by: try policy()) == expected)
            #expect(expected.isHardware == (expected.place != .unknown))
            let without = try policy { $0.anchors = [:] }
            #expect(try protection(of: attestation(format, stated), by: without) == .unknown)
        }
    }

    @Test("a TPM that signs with SHA-1 is not trusted, unless the policy allows it")
    func weakHash() throws {
        let weak = attestation(.tpm, .tpm(staysInside: true, hasWeakHash: true))
        #expect(try protection(of: weak, by: try policy()).isHardware)
        let strict = try policy { $0.trustsSHA1OfTPMs = false }
        #expect(strict.decision(on: weak, at: Self.now) == .accepted(.untrusted(.weakHash)))
        #expect(try protection(of: weak, by: strict) == .unknown)
        let strong = attestation(.tpm, .tpm(staysInside: true, hasWeakHash: false))
        #expect(try protection(of: strong, by: strict).isHardware)
    }

    private func android(_ description: Description) throws -> StatedProtection {
        .android(try AndroidKeyDescription(derEncoded: description.encoded[...]))
    }

    private var verified: Description {
        var description = Description(challenge: registration.clientDataHash)
        description.hardware.append(Description.rootOfTrust())
        return description
    }

    @Test(
        "an Android key is in hardware where hardware keeps and attests it, on a locked device with its maker's system")
    func androidKeys() throws {
        let tee = KeyProtection(place: .tee, evidence: .androidKey)
        let other = KeyProtection(place: .unknown, evidence: .androidKey)
        let software = KeyProtection(place: .software, evidence: .androidKey)
        let cases: [(Description, KeyProtection)] = [
            (verified, tee),
            (verified.with { $0.hardware[2] = Description.rootOfTrust(hasHash: false) }, tee),
            (
                verified.with { ($0.attestationLevel, $0.keyLevel) = (2, 2) },
                KeyProtection(place: .secureElement, evidence: .androidKey)
            ),
            // The attesting key is not in a separate chip.
            (verified.with { $0.keyLevel = 2 }, tee),
            (verified.with { $0.attestationLevel = 2 }, tee),
            (verified.with { $0.attestationLevel = 0 }, software),
            (verified.with { $0.keyLevel = 0 }, software),
            (verified.with { $0.hardware[2] = Description.rootOfTrust(isLocked: false) }, other),
            (verified.with { $0.hardware[2] = Description.rootOfTrust(state: 1) }, other),
            (verified.with { $0.hardware[2] = Description.rootOfTrust(state: 2) }, other),
            (verified.with { $0.hardware[2] = Description.rootOfTrust(state: 3) }, other),
            (verified.with { $0.hardware[2] = Description.rootOfTrust(state: 4) }, other),
            (verified.with { $0.hardware[2] = Description.rootOfTrust }, other),
            (verified.with { $0.hardware.removeLast() }, other),
            // The statement of the system, and not of the hardware.
            (verified.with { $0.software = [$0.hardware.removeLast()] }, other),
            (verified.with { $0.software = [$0.hardware.remove(at: 1)] }, other),
            (verified.with { $0.hardware[1] = Description.imported }, other),
            (verified.with { $0.hardware[0] = Description.signAndVerify }, other),
        ]
        for (description, expected) in cases {
            #expect(try protection(of: attestation(.androidKey, android(description)), by: policy()) == expected)
        }
        let without = try policy { $0.revocations = nil }
        #expect(try protection(of: attestation(.androidKey, android(verified)), by: without) == other)
        let weak = attestation(.androidKey, try android(verified.with { $0.keyLevel = 0 }))
        #expect(try protection(of: weak, by: without) == software)
    }

    // MARK: Google's list

    private func list(_ serial: String, _ status: String = "REVOKED") throws -> AndroidRevocationList {
        try AndroidRevocationList(
            decoding: Array(#"{"entries":{"\#(serial)":{"status":"\#(status)","reason":"KEY_COMPROMISE"}}}"#.utf8))
    }

    private func serial(_ certificate: Certificate) -> String {
        String(hex(Array(certificate.serialNumber.bytes)).drop { $0 == "0" })
    }

    @Test("a certificate on Google's list removes the trust from every key below it, and only from Android keys")
    func revoked() throws {
        let between = try root.authority()
        let leaf = try between.issue(try MintedAuthority.leaf(), for: certificate.publicKey)
        let chain = [leaf, between.certificate]
        let key = attestation(.androidKey, try android(verified), chain)
        #expect(try protection(of: key, by: try policy()).isHardware)
        for (position, certificate) in chain.enumerated() {
            for (text, status) in [
                (serial(certificate), "REVOKED"), (serial(certificate), "SUSPENDED"),
                ("00" + serial(certificate).uppercased(), "SOMETHING_NEW"),
            ] {
                let policy = try policy { $0.revocations = try list(text, status) }
                #expect(
                    policy.decision(on: key, at: Self.now) == .accepted(.untrusted(.revoked(position: position))))
                #expect(try protection(of: key, by: policy) == .unknown)
                let other = attestation(.packed, .nothing, chain)
                guard case .accepted(.anchored) = policy.decision(on: other, at: Self.now) else {
                    Issue.record("the list is Android's")
                    return
                }
            }
        }
        let others = try policy { $0.revocations = try list(serial(certificate)) }
        #expect(try protection(of: key, by: others).isHardware)
    }

    @Test("a list in another form is refused")
    func malformedLists() throws {
        for text in [
            "", "[]", "{}", #"{"entries":[]}"#, #"{"entries":{"12":{}}}"#, #"{"entries":{"12":"REVOKED"}}"#,
            #"{"entries":{"xy":{"status":"REVOKED"}}}"#, #"{"entries":{"":{"status":"REVOKED"}}}"#,
            #"{"entries":{"12":{"status":1}}}"#, #"{"entries":{}} "}"#,
        ] {
            #expect(throws: MetadataFlaw.malformed, "\(text)") { try AndroidRevocationList(decoding: Array(text.utf8)) }
        }
        #expect(throws: MetadataFlaw.malformed) {
            try AndroidRevocationList(decoding: [UInt8](repeating: 0x20, count: WebAuthnLimits.revocationListBytes + 1))
        }
        #expect(try list("c35747a084470c3135aeefe2b8d40cd6").count == 1)
    }

    // MARK: By the metadata

    private func entry(
        _ protection: String, _ statuses: String = #"[{"status":"FIDO_CERTIFIED_L1"}]"#, more: String = "",
        anchor: MintedAuthority? = nil
    ) throws -> String {
        let anchors = try anchor.map { "\"\(Base64.encode(try $0.certificate.der))\"" } ?? ""
        return #"""
            {"aaguid":"\#(registration.model)","statusReports":\#(statuses),
             "metadataStatement":{"keyProtection":\#(protection)\#(more),"attestationRootCertificates":[\#(anchors)]}}
            """#
    }

    private func metadata(_ entries: String) throws -> MetadataBLOB {
        try MetadataBLOB(
            payload: Array(#"{"legalHeader":"","no":7,"nextUpdate":"2026-12-01","entries":[\#(entries)]}"#.utf8))
    }

    @Test("the metadata of a certified model tell where it keeps keys")
    func keyProtectionOfModels() throws {
        let cases: [(String, KeyProtection.Place)] = [
            (#"["hardware"]"#, .hardware), (#"["hardware","secure_element"]"#, .secureElement),
            (#"["hardware","tee"]"#, .tee), (#"["tee"]"#, .tee), (#"["hardware","remote_handle"]"#, .hardware),
            (#"["remote_handle"]"#, .remoteHandle), (#"["software"]"#, .software),
            (#"["software","remote_handle"]"#, .software), (#"["hardware","software"]"#, .software), ("[]", .unknown),
            (#"["somewhere"]"#, .unknown), ("2", .unknown), ("null", .unknown), ("[1,2]", .unknown),
        ]
        for (text, place) in cases {
            let policy = try policy {
                $0.metadata = .init(try metadata(try entry(text, anchor: root)), isRequired: true)
            }
            let expected = place == .unknown ? .unknown : KeyProtection(place: place, evidence: .metadata)
            #expect(try protection(of: attestation(.packed), by: policy) == expected, "\(text)")
        }
    }

    @Test("hardware counts while a FIDO certification is valid, and for keys with a single use")
    func certifications() throws {
        func places(_ statuses: String, more: String = "") throws -> KeyProtection.Place {
            let entry = try entry(#"["hardware"]"#, "[\(statuses)]", more: more, anchor: root)
            let policy = try policy { $0.metadata = .init(try metadata(entry), isRequired: true) }
            return try protection(of: attestation(.packed), by: policy).place
        }
        let certified = #"{"status":"FIDO_CERTIFIED_L1","effectiveDate":"2020-01-01"}"#
        for status in [
            "FIDO_CERTIFIED", "FIDO_CERTIFIED_L1", "FIDO_CERTIFIED_L1plus", "FIDO_CERTIFIED_L2",
            "FIDO_CERTIFIED_L2plus",
            "FIDO_CERTIFIED_L3", "FIDO_CERTIFIED_L3plus",
        ] {
            #expect(try places(#"{"status":"\#(status)"}"#) == .hardware)
        }
        for status in ["NOT_FIDO_CERTIFIED", "SELF_ASSERTION_SUBMITTED", "RETIRED"] {
            #expect(try places(#"{"status":"\#(status)"}"#) == .unknown)
            #expect(try places(certified + #",{"status":"\#(status)","effectiveDate":"2026-11-22"}"#) == .unknown)
            #expect(try places(certified + #",{"status":"\#(status)","effectiveDate":"2026-11-23"}"#) == .hardware)
            // The report with the latest day applies, wherever it is in the file.
            #expect(try places(#"{"status":"\#(status)","effectiveDate":"2019-01-01"},"# + certified) == .hardware)
            #expect(try places(certified + #",{"status":"\#(status)","effectiveDate":"2019-01-01"}"#) == .hardware)
        }
        #expect(try places("") == .unknown)
        #expect(try places(#"{"status":"FIDO_CERTIFIED_L4"}"#) == .unknown)
        #expect(try places(certified + #",{"status":"UPDATE_AVAILABLE","effectiveDate":"2024-01-01"}"#) == .hardware)
        #expect(try places(certified, more: #","isKeyRestricted":true"#) == .hardware)
        for value in ["false", "1", "null"] {
            #expect(try places(certified, more: #","isKeyRestricted":\#(value)"#) == .unknown)
        }
    }

    @Test("the metadata count only with their own certificates, and the weaker of two claims counts")
    func disagreement() throws {
        func protection(
            _ attestation: Attestation, _ entry: String
        ) throws -> KeyProtection {
            let policy = try policy { $0.metadata = .init(try metadata(entry), isRequired: false) }
            return try self.protection(of: attestation, by: policy)
        }
        // The operator trusts the certificate; that it belongs to this model's vendor is not proven.
        #expect(try protection(attestation(.packed), try entry(#"["hardware"]"#)) == .unknown)
        #expect(try protection(attestation(.packed), try entry(#"["hardware"]"#, anchor: root)).isHardware)
        let other = try MintedAuthority(named: "Other")
        #expect(try protection(attestation(.packed), try entry(#"["hardware"]"#, anchor: other)) == .unknown)
        let tpm = attestation(.tpm, .tpm(staysInside: true, hasWeakHash: false))
        #expect(
            try protection(tpm, try entry(#"["software"]"#, anchor: root))
                == KeyProtection(place: .software, evidence: .metadata))
        #expect(try protection(tpm, try entry("[]", anchor: root)) == KeyProtection(place: .hardware, evidence: .tpm))
        let movable = attestation(.tpm, .tpm(staysInside: false, hasWeakHash: false))
        #expect(
            try protection(movable, try entry(#"["hardware"]"#, anchor: root))
                == KeyProtection(place: .unknown, evidence: .tpm))
    }

    @Test("all U2F models that share a key have to keep keys in hardware")
    func sharedKeys() throws {
        let identifier = hex(certificate.keyIdentifier)
        let anchor = Base64.encode(try root.certificate.der)
        func entry(_ protection: String) -> String {
            #"""
            {"attestationCertificateKeyIdentifiers":["\#(identifier)"],"statusReports":[{"status":"FIDO_CERTIFIED"}],
             "metadataStatement":{"keyProtection":["\#(protection)"],"attestationRootCertificates":["\#(anchor)"]}}
            """#
        }
        for (protections, place) in [
            (["hardware"], KeyProtection.Place.hardware), (["hardware", "hardware"], .hardware),
            (["hardware", "software"], .software), (["hardware", "nowhere"], .unknown),
        ] {
            let blob = try metadata(protections.map(entry).joined(separator: ","))
            let policy = try policy { $0.metadata = .init(blob, isRequired: true) }
            #expect(try protection(of: attestation(.fidoU2F), by: policy).place == place)
        }
    }

    @Test("the other metadata of a model are read: matcher, attachment, versions of updates")
    func entryFields() throws {
        let blob = try metadata(
            try entry(
                #"["hardware"]"#, #"[{"status":"UPDATE_AVAILABLE","authenticatorVersion":5}]"#,
                more: #","matcherProtection":["on_chip"],"attachmentHint":["external","nfc"]"#))
        let entry = try #require(blob.entry(for: registration.model))
        #expect(entry.keyProtection == ["hardware"])
        #expect(entry.matcherProtection == ["on_chip"])
        #expect(entry.attachmentHint == ["external", "nfc"])
        #expect(entry.isKeyRestricted)
        #expect(entry.reports.map(\.authenticatorVersion) == [5])
        #expect(entry.certification(at: Self.now) == nil)
    }

    // MARK: Later

    @Test("certificates are judged at the time of the statement, and reports at the time of the decision")
    func signedEarlier() throws {
        let late = Self.now + 3_000 * 86_400_000
        let reported = try entry(
            "[]", #"[{"status":"REVOKED","effectiveDate":"2027-01-01"}]"#, anchor: root)
        let policy = try policy { $0.metadata = .init(try metadata(reported), isRequired: false) }
        #expect(
            policy.decision(on: attestation(.packed), at: late, signed: Self.now) == .refused(.status(.revoked)))
        let silent = policy.with { $0.metadata = nil }
        #expect(
            silent.decision(on: attestation(.packed), at: late, signed: Self.now)
                == .accepted(.anchored(try root.anchor, provesModel: true)))
        #expect(
            silent.decision(on: attestation(.packed), at: late)
                == .accepted(.untrusted(.validity(position: 0))))
    }

    @Test("a statement that is read again has the same result as at its verification")
    func readAgain() throws {
        for vector in try CeremonyVector.published() {
            guard let object = try? AttestationObject(decoding: vector.registration.data) else { continue }
            let hash = try CollectedClientData(decoding: vector.registration.clientData).hash
            let verified = try AttestationStatement(of: object, clientDataHash: hash).verify(by: .vectors)
            #expect(try object.uncheckedAttestation() == verified, "\(vector.id)")
        }
    }

    @Test("a statement whose issuer's certificate cannot be read is verified, and leads to no anchor beyond it")
    func unreadableIssuer() throws {
        let tpm = try AttestationTPMTests.Minted()
        let between = try tpm.root.authority()
        let leaf = try between.issue(tpm.template, for: .init(tpm.key.publicKey))
        func statement(_ above: [[UInt8]]) throws -> AttestationStatement {
            try tpm.registration.statement(
                "tpm",
                [
                    ("ver", "2.0"), ("alg", -7), ("certInfo", .bytes(tpm.certInfo)),
                    ("sig", .bytes(try tpm.key.derSignature(over: tpm.certInfo))), ("pubArea", .bytes(tpm.pubArea)),
                    ("x5c", .array([.bytes(try leaf.der)] + above.map(CBOR.bytes))),
                ])
        }
        // Two bytes more than its length says.
        var broken = try between.certificate.der
        broken.insert(contentsOf: [0x81, 0x00], at: broken.count - 1)
        let whole = try statement([between.certificate.der, tpm.root.certificate.der]).verify()
        let cut = try statement([broken, tpm.root.certificate.der]).verify()
        #expect(cut.kind == .certified([leaf]))
        var policy = AttestationPolicy.anything
        policy.anchors = [.tpm: [try tpm.root.anchor]]
        guard case .accepted(.anchored) = policy.decision(on: whole, at: Self.now) else {
            Issue.record("the whole path leads to the anchor")
            return
        }
        #expect(policy.decision(on: cut, at: Self.now) == .accepted(.untrusted(.noAnchor)))
        #expect(policy.keyProtection(of: cut, trusted: .untrusted(.noAnchor), at: Self.now) == .unknown)
        policy.anchors = [.tpm: [try between.anchor]]
        guard case .accepted(.anchored) = policy.decision(on: cut, at: Self.now) else {
            Issue.record("the issuer itself is an anchor")
            return
        }
        // A value that is not a byte string is malformed at any position; and the first certificate is required.
        let text = try registration.statement(
            "packed",
            [
                ("alg", -7), ("sig", .bytes([])),
                ("x5c", .array([.bytes(try leaf.der), .bytes([0]), .text("no bytes")])),
            ])
        #expect(throws: WebAuthnError.attestation(.malformed)) { try text.verify() }
        #expect(throws: WebAuthnError.attestation(.unreadableCertificate)) {
            try registration.statement(
                "packed", [("alg", -7), ("sig", .bytes([])), ("x5c", .array([.bytes(broken), .bytes(try leaf.der)]))]
            ).verify()
        }
    }

    @Test("U2F has one certificate, and an unreadable second one counts as a second")
    func secondCertificateOfU2F() throws {
        let statement = try registration.statement(
            "fido-u2f", [("sig", .bytes([])), ("x5c", .array([.bytes(try certificate.der), .bytes([0x30, 0x00])]))])
        #expect(throws: WebAuthnError.attestation(.malformed)) { try statement.verify() }
    }

    @Test("an unknown format proves nothing, and is accepted where no proof is required")
    func unknownFormats() throws {
        let ceremonies = try Ceremonies(.none)
        for name in ["compound", "android-safetynet", "unknown", "None", ""] {
            let object = try CBOR(decoding: CeremonyVector.none.registration.data)
                .with("fmt", .text(name)).with("attStmt", map([("ver", "1"), ("response", .bytes([1]))])).encoded
            let response = try ceremonies.registrationResponse(object: object)
            let verified = try ceremonies.registration(attestation: .anything).verify(response, at: Ceremonies.now)
            #expect(verified.trust == .none)
            #expect(verified.attestation.format == .unknown)
            #expect(verified.keyProtection == .unknown)
            #expect(try AttestationObject(decoding: object).uncheckedAttestation() == verified.attestation)
            var policy = AttestationPolicy.anything
            policy.levels = [.anchored]
            #expect(throws: WebAuthnError.attestationRefused(.trust(.none))) {
                try ceremonies.registration(attestation: policy).verify(response, at: Ceremonies.now)
            }
            policy = .anything
            policy.formats.remove(.unknown)
            #expect(throws: WebAuthnError.unsupportedAttestationFormat) {
                try ceremonies.registration(attestation: policy).verify(response, at: Ceremonies.now)
            }
        }
        // All other checks still run.
        let other = try ceremonies.registration(challenge: [UInt8](repeating: 3, count: 32), attestation: .anything)
        #expect(throws: WebAuthnError.wrongChallenge) {
            try other.verify(try ceremonies.registrationResponse(), at: Ceremonies.now)
        }
    }
}

extension AttestationPolicy {
    fileprivate func with(_ change: (inout AttestationPolicy) -> Void) -> AttestationPolicy {
        var copy = self
        change(&copy)
        return copy
    }
}
