internal import Crypto
internal import Encoding
internal import TestSupport
internal import Testing
internal import X509

@testable internal import WebAuthn

@Suite("Acceptance of attestations")
struct AttestationPolicyTests {
    private static let now = MintedRegistration.now
    private let registration = MintedRegistration()
    private let root: MintedAuthority
    private let certificate: Certificate
    private let model: AAGUID

    init() throws {
        root = try MintedAuthority()
        let key = Certificate.PublicKey(P256.Signing.PrivateKey().publicKey)
        certificate = try root.issue(try MintedAuthority.leaf(), for: key)
        model = registration.model
    }

    private func attestation(
        _ format: AttestationFormat = .packed, _ kind: Attestation.Kind? = nil, model: AAGUID? = nil
    ) -> Attestation {
        Attestation(format: format, kind: kind ?? .certified([certificate]), aaguid: model ?? self.model)
    }

    private func policy(_ change: (inout AttestationPolicy) throws -> Void = { _ in }) throws -> AttestationPolicy {
        var policy = AttestationPolicy(
            formats: Set(AttestationFormat.allCases), levels: [.anchored],
            anchors: [.packed: [try root.anchor]])
        try change(&policy)
        return policy
    }

    @Test("an attestation that leads to an anchor is accepted; others only where no anchor is required")
    func levels() throws {
        let anchored = AttestationTrust.anchored(try root.anchor, provesModel: true)
        let cases: [(Attestation, [TrustAnchor], AttestationTrust)] = [
            (attestation(), [try root.anchor], anchored),
            (attestation(), [try MintedAuthority(named: "Other").anchor], .untrusted(.noAnchor)),
            (attestation(.packed, .selfSigned), [try root.anchor], .selfSigned),
            (attestation(.none, Attestation.Kind.none), [try root.anchor], .none),
        ]
        for (attestation, anchors, trust) in cases {
            for level in AttestationTrust.Level.allCases {
                let policy = try policy { ($0.levels, $0.anchors) = ([level], [.packed: anchors]) }
                #expect(
                    policy.decision(on: attestation, at: Self.now)
                        == (level == trust.level ? .accepted(trust) : .refused(.trust(trust))))
            }
        }
        #expect(
            AttestationPolicy.anything.decision(on: attestation(), at: Self.now) == .accepted(.untrusted(.noAnchor)))
    }

    @Test("an anchor counts for one format")
    func anchorsOfFormats() throws {
        let policy = try policy { $0.anchors = [.apple: [try root.anchor]] }
        #expect(policy.decision(on: attestation(), at: Self.now) == .refused(.trust(.untrusted(.noAnchor))))
        #expect(
            policy.decision(on: attestation(.apple), at: Self.now)
                == .accepted(.anchored(try root.anchor, provesModel: false)))
    }

    @Test("certificates are judged at the time of the decision")
    func time() throws {
        let late = Self.now + 3_000 * 86_400_000
        #expect(
            try policy().decision(on: attestation(), at: late) == .refused(.trust(.untrusted(.validity(position: 0)))))
    }

    @Test("formats that the policy does not accept are refused, whoever signed them")
    func formats() throws {
        let policy = try policy { $0.formats = [.tpm] }
        #expect(policy.decision(on: attestation(), at: Self.now) == .refused(.format))
    }

    @Test("a critical extension that the format has read does not break the path")
    func criticalExtensions() throws {
        for (format, identifier) in [
            (AttestationFormat.apple, AppleNonce.identifier), (.androidKey, AndroidKeyDescription.identifier),
        ] {
            let leaf = try MintedAuthority.leaf([MintedAuthority.extension_(identifier, [5, 0], critical: true)])
            let kind = Attestation.Kind.certified([try root.issue(leaf, for: certificate.publicKey)])
            let policy = try policy { $0.anchors = [format: [try root.anchor], .packed: [try root.anchor]] }
            #expect(
                policy.decision(on: attestation(format, kind), at: Self.now)
                    == .accepted(.anchored(try root.anchor, provesModel: false)))
            #expect(
                policy.decision(on: attestation(.packed, kind), at: Self.now)
                    == .refused(.trust(.untrusted(.criticalExtension(position: 0)))))
        }
    }

    @Test("denied models are refused, even if the client only claims the model")
    func denied() throws {
        let policy = try policy { ($0.deniedModels, $0.levels) = ([model], Set(AttestationTrust.Level.allCases)) }
        for kind in [.certified([certificate]), .selfSigned, .none] as [Attestation.Kind] {
            #expect(policy.decision(on: attestation(.packed, kind), at: Self.now) == .refused(.model))
        }
        #expect(
            policy.decision(on: attestation(model: .zero), at: Self.now)
                == .accepted(.anchored(try root.anchor, provesModel: true)))
    }

    @Test("an allow list accepts only proven models: by the authenticator itself, or by its certificate")
    func allowed() throws {
        let all = Dictionary(uniqueKeysWithValues: try AttestationFormat.allCases.map { ($0, [try root.anchor]) })
        let policy = try policy {
            ($0.allowedModels, $0.levels, $0.anchors) = ([model], Set(AttestationTrust.Level.allCases), all)
        }
        #expect(
            policy.decision(on: attestation(), at: Self.now) == .accepted(.anchored(try root.anchor, provesModel: true))
        )
        #expect(policy.decision(on: attestation(model: .zero), at: Self.now) == .refused(.model))
        for format in [.tpm, .androidKey, .apple, .fidoU2F] as [AttestationFormat] {
            #expect(policy.decision(on: attestation(format), at: Self.now) == .refused(.unprovenModel))
        }
        for kind in [.selfSigned, .none] as [Attestation.Kind] {
            #expect(policy.decision(on: attestation(.packed, kind), at: Self.now) == .refused(.unprovenModel))
        }
        let elsewhere = policy.with { $0.anchors = [:] }
        #expect(elsewhere.decision(on: attestation(), at: Self.now) == .refused(.unprovenModel))
        // A TPM's certificate that names the model: the procedure has compared it.
        let naming = try MintedAuthority.leaf([
            MintedAuthority.extension_(AAGUIDExtension.identifier, [0x04, 0x10] + model.bytes)
        ])
        let kind = Attestation.Kind.certified([try root.issue(naming, for: certificate.publicKey)])
        #expect(
            policy.decision(on: attestation(.tpm, kind), at: Self.now)
                == .accepted(.anchored(try root.anchor, provesModel: true)))
    }

    // MARK: Metadata

    private func metadata(_ entries: String, nextUpdate: String = "2026-12-01") throws -> MetadataBLOB {
        try MetadataBLOB(
            payload: Array(#"{"legalHeader":"","no":7,"nextUpdate":"\#(nextUpdate)","entries":[\#(entries)]}"#.utf8))
    }

    private func entry(_ anchor: TrustAnchor?, statuses: String = "[]") throws -> String {
        let anchors = try anchor.map { "\"\(Base64.encode(try $0.certificate.der))\"" } ?? ""
        return #"""
            {"aaguid":"\#(model)","statusReports":\#(statuses),
             "metadataStatement":{"description":"Minted","attestationRootCertificates":[\#(anchors)]}}
            """#
    }

    @Test("if the metadata contain the model, its own roots count and no others")
    func metadataAnchors() throws {
        let other = try MintedAuthority(named: "Other")
        let mine = try policy { $0.metadata = .init(try metadata(entry(root.anchor)), isRequired: true) }
        let proven = AttestationPolicy.Decision.accepted(.anchored(try root.anchor, provesModel: true))
        #expect(mine.decision(on: attestation(), at: Self.now) == proven)
        #expect(mine.with { $0.anchors = [:] }.decision(on: attestation(), at: Self.now) == proven)
        // Also for an Android key: the model has Android's root in the metadata.
        #expect(mine.with { $0.anchors = [:] }.decision(on: attestation(.androidKey), at: Self.now) == proven)
        let others = try policy { $0.metadata = .init(try metadata(entry(other.anchor)), isRequired: true) }
        #expect(others.decision(on: attestation(), at: Self.now) == .refused(.trust(.untrusted(.noAnchor))))
        // An entry without roots leaves the decision to the configuration.
        let none = try policy { $0.metadata = .init(try metadata(entry(nil)), isRequired: true) }
        #expect(none.decision(on: attestation(), at: Self.now) == proven)
        // The metadata may contain the attesting certificate itself.
        let leaf = try #require(TrustAnchor(der: try certificate.der))
        let pinned = try policy { $0.metadata = .init(try metadata(entry(leaf)), isRequired: true) }
        #expect(
            pinned.decision(on: attestation(), at: Self.now) == .accepted(.anchored(leaf, provesModel: true)))
    }

    @Test("if metadata are required, they have to contain the model and be in date")
    func required() throws {
        let blob = try metadata(entry(root.anchor))
        let required = try policy { $0.metadata = .init(blob, isRequired: true) }
        #expect(required.decision(on: attestation(model: .zero), at: Self.now) == .refused(.unknownModel))
        let update = try #require(MetadataDate.start(of: "2026-12-01"))
        let lastMoment = update + MetadataDate.day - 1
        #expect(
            required.decision(on: attestation(), at: lastMoment)
                == .accepted(.anchored(try root.anchor, provesModel: true)))
        #expect(required.decision(on: attestation(), at: lastMoment + 1) == .refused(.metadataOutOfDate))
        let optional = try policy { $0.metadata = .init(blob, isRequired: false) }
        let taken = AttestationPolicy.Decision.accepted(.anchored(try root.anchor, provesModel: true))
        #expect(optional.decision(on: attestation(model: .zero), at: Self.now) == taken)
        #expect(optional.decision(on: attestation(), at: lastMoment + 1) == taken)
    }

    @Test("a model with a bad report is refused from that day on, even if metadata are not required")
    func statuses() throws {
        func decision(
            _ reports: String, _ kind: Attestation.Kind? = nil, at time: Int64 = Self.now
        ) throws -> AttestationPolicy.Decision {
            let blob = try metadata(entry(root.anchor, statuses: "[\(reports)]"))
            return try policy {
                ($0.metadata, $0.levels) = (.init(blob, isRequired: false), Set(AttestationTrust.Level.allCases))
            }.decision(on: attestation(.packed, kind), at: time)
        }
        let taken = AttestationPolicy.Decision.accepted(.anchored(try root.anchor, provesModel: true))
        for status in [
            "REVOKED", "USER_VERIFICATION_BYPASS", "ATTESTATION_KEY_COMPROMISE", "USER_KEY_REMOTE_COMPROMISE",
            "USER_KEY_PHYSICAL_COMPROMISE",
        ] {
            let refused = AttestationPolicy.Decision.refused(.status(MetadataStatus(rawValue: status)))
            #expect(try decision(#"{"status":"\#(status)"}"#) == refused)
            #expect(try decision(#"{"status":"\#(status)"}"#, Attestation.Kind.none) == refused)
            #expect(try decision(#"{"status":"FIDO_CERTIFIED_L1"},{"status":"\#(status)"}"#) == refused)
            // A later certification does not cancel the report.
            #expect(try decision(#"{"status":"\#(status)"},{"status":"FIDO_CERTIFIED_L1"}"#) == refused)
            let dated = #"{"status":"\#(status)","effectiveDate":"2026-11-22"}"#
            #expect(try decision(dated) == refused)
            #expect(try decision(dated, at: Self.now - 1) == taken)
        }
        for status in ["FIDO_CERTIFIED", "NOT_FIDO_CERTIFIED", "UPDATE_AVAILABLE", "SOMETHING_NEW"] {
            #expect(try decision(#"{"status":"\#(status)"}"#) == taken)
        }
    }

    @Test("a report about one certificate concerns attestations with it, and those without certificates")
    func statusOfCertificate() throws {
        let other = try root.issue(try MintedAuthority.leaf(), for: certificate.publicKey)
        func decision(_ certificate: Certificate, _ kind: Attestation.Kind? = nil) throws -> AttestationPolicy.Decision
        {
            let text = Base64.encode(try certificate.der)
            let report = #"[{"status":"ATTESTATION_KEY_COMPROMISE","certificate":"\#(text)"}]"#
            let blob = try metadata(entry(root.anchor, statuses: report))
            return try policy {
                ($0.metadata, $0.levels) = (.init(blob, isRequired: true), Set(AttestationTrust.Level.allCases))
            }.decision(on: attestation(.packed, kind), at: Self.now)
        }
        #expect(try decision(certificate) == .refused(.status(.attestationKeyCompromise)))
        #expect(try decision(other) == .accepted(.anchored(try root.anchor, provesModel: true)))
        #expect(try decision(other, .selfSigned) == .refused(.status(.attestationKeyCompromise)))
        #expect(
            try decision(root.certificate, .certified([certificate, root.certificate]))
                == .refused(.status(.attestationKeyCompromise)))
    }

    @Test("a U2F authenticator is identified by its certificate's key, and never by a claimed model")
    func keyIdentifiers() throws {
        let identifier = Array(Insecure.SHA1.hash(data: Array(certificate.publicKey.subjectPublicKeyInfoBytes)))
        let entry = #"""
            {"attestationCertificateKeyIdentifiers":["\#(hex(identifier))"],"statusReports":[{"status":"REVOKED"}]}
            """#
        let blob = try metadata(entry)
        #expect(blob.entries(for: attestation(.fidoU2F)).count == 1)
        #expect(blob.entries(for: attestation(.packed)).isEmpty)
        #expect(blob.entries(for: attestation(.packed, model: .zero)).count == 1)
        let policy = try policy {
            ($0.metadata, $0.anchors) = (.init(blob, isRequired: true), [.fidoU2F: [try root.anchor]])
        }
        #expect(policy.decision(on: attestation(.fidoU2F), at: Self.now) == .refused(.status(.revoked)))
        let known = try metadata(self.entry(root.anchor))
        #expect(known.entries(for: attestation(.fidoU2F)).isEmpty)
    }

    @Test("a U2F authenticator in the metadata does not prove its claimed model")
    func modelOfU2F() throws {
        let identifier = hex(Array(Insecure.SHA1.hash(data: Array(certificate.publicKey.subjectPublicKeyInfoBytes))))
        let root = Base64.encode(try self.root.certificate.der)
        let entry = #"""
            {"attestationCertificateKeyIdentifiers":["\#(identifier)"],"statusReports":[],
             "metadataStatement":{"attestationRootCertificates":["\#(root)"]}}
            """#
        var policy = try policy { $0.metadata = .init(try metadata(entry), isRequired: true) }
        let trust = AttestationTrust.anchored(try self.root.anchor, provesModel: false)
        #expect(policy.decision(on: attestation(.fidoU2F), at: Self.now) == .accepted(trust))
        policy.allowedModels = [model]
        #expect(policy.decision(on: attestation(.fidoU2F), at: Self.now) == .refused(.unprovenModel))
    }
}

extension AttestationPolicy {
    fileprivate func with(_ change: (inout AttestationPolicy) throws -> Void) rethrows -> AttestationPolicy {
        var copy = self
        try change(&copy)
        return copy
    }
}
