public import Encoding
internal import Foundation
internal import TestSupport
internal import Testing

@testable internal import WebAuthn

/// One of the pairs of section 16: a registration and an authentication of one credential.
struct CeremonyVector: Sendable, CustomTestStringConvertible {
    let id: String
    let registration: Step
    let authentication: Step

    struct Step: Sendable {
        let challenge: [UInt8]
        let clientData: [UInt8]
        /// The attestation object, or the authenticator data.
        let data: [UInt8]
        /// The values of the authentication.
        let signature: [UInt8]
    }

    var testDescription: String { id }

    /// All published pairs, in order.
    static func published() throws -> [CeremonyVector] {
        try Vectors.json("webauthn")["ceremonies"].array(of: 15).map { vector in
            let (registration, authentication) = (vector["registration"], vector["authentication"])
            return CeremonyVector(
                id: try vector["name"].string,
                registration: Step(
                    challenge: try registration["challenge"].bytes,
                    clientData: try registration["client_data"].bytes,
                    data: try registration["attestation_object"].bytes, signature: []),
                authentication: Step(
                    challenge: try authentication["challenge"].bytes,
                    clientData: try authentication["client_data"].bytes,
                    data: try authentication["authenticator_data"].bytes,
                    signature: try authentication["signature"].bytes))
        }
    }

    /// The root of the published attestations.
    static func root() throws -> TrustAnchor {
        try #require(TrustAnchor(der: try Vectors.json("webauthn")["root"].bytes))
    }

    /// Section 16.1.2, "ES256 Credential with No Attestation".
    static let none = CeremonyVector(
        id: "none-es256",
        registration: Step(
            challenge: hex("00c30fb78531c464d2b6771dab8d7b603c01162f2fa486bea70f283ae556e130"),
            clientData: Array(
                #"""
                {"type":"webauthn.create","challenge":"AMMPt4UxxGTStncdq417YDwBFi8vpIa-pw8oOuVW4TA",\#
                "origin":"https://example.org","crossOrigin":false,"extraData":"clientDataJSON may be extended with \#
                additional fields in the future, such as this: BkQeDjdcTBrXBiAwJTLE5Q"}
                """#.utf8),
            data: hex(
                """
                a363666d74646e6f6e656761747453746d74a068617574684461746158a4
                bfabc37432958b063360d3ad6461c9c4735ae7f8edd46592a5e0f01452b2e4b559000000008446ccb9ab1db374750b2367ff6f3a1f
                0020f91f391db4c9b2fde0ea70189cba3fb63f579ba6122b33ad94ff3ec330084be4
                a5010203262001215820afefa16f97ca9b2d23eb86ccb64098d20db90856062eb249c33a9b672f26df61
                225820930a56b87a2fca66334b03458abf879717c12cc68ed73290af2e2664796b9220
                """), signature: []),
        authentication: Step(
            challenge: hex("39c0e7521417ba54d43e8dc95174f423dee9bf3cd804ff6d65c857c9abf4d408"),
            clientData: Array(
                #"""
                {"type":"webauthn.get","challenge":"OcDnUhQXulTUPo3JUXT0I97pvzzYBP9tZchXyav01Ag",\#
                "origin":"https://example.org","crossOrigin":false}
                """#.utf8),
            data: hex("bfabc37432958b063360d3ad6461c9c4735ae7f8edd46592a5e0f01452b2e4b51900000000"),
            signature: hex(
                """
                3046022100f50a4e2e4409249c4a853ba361282f09841df4dd4547a13a87780218deffcd38
                0221008480ac0f0b93538174f575bf11a1dd5d78c6e486013f937295ea13653e331e87
                """)))

    /// Section 16.1.3, "ES256 Credential with Self Attestation".
    static let packedSelf = CeremonyVector(
        id: "packed-self-es256",
        registration: Step(
            challenge: hex("7869c2b772d4b58eba9378cf8f29e26cf935aa77df0da89fa99c0bdc0a76f7e5"),
            clientData: Array(
                #"""
                {"type":"webauthn.create","challenge":"eGnCt3LUtY66k3jPjynibPk1qnffDaifqZwL3Ap29-U",\#
                "origin":"https://example.org","crossOrigin":false,"extraData":"clientDataJSON may be extended with \#
                additional fields in the future, such as this: U9hTXvKE2URkMnb_0xYHVg"}
                """#.utf8),
            data: hex(
                """
                a363666d74667061636b65646761747453746d74a263616c6726637369675846
                30440220067a20754ab925005dbf378097c92120031581c73228d1fb4f5b881bcd7da983
                02207fc7b147558c7c0eba3af18bd9d121fa3d3a26d17fe3f220272178f473b6006d
                68617574684461746158a4
                bfabc37432958b063360d3ad6461c9c4735ae7f8edd46592a5e0f01452b2e4b55d00000000df850e09db6afbdfab51697791506cfc
                0020455ef34e2043a87db3d4afeb39bbcb6cc32df9347c789a865ecdca129cbef58c
                a5010203262001215820eb151c8176b225cc651559fecf07af450fd85802046656b34c18f6cf193843c5
                225820927b8aa427a2be1b8834d233a2d34f61f13bfd44119c325d5896e183fee484f2
                """), signature: []),
        authentication: Step(
            challenge: hex("4478a10b1352348dd160c1353b0d469b5db19eb91c27f7dfa6fed39fe26af20b"),
            clientData: Array(
                #"""
                {"type":"webauthn.get","challenge":"RHihCxNSNI3RYME1Ow1Gm12xnrkcJ_ffpv7Tn-Jq8gs",\#
                "origin":"https://example.org","crossOrigin":false,"extraData":"clientDataJSON may be extended with \#
                additional fields in the future, such as this: gTb53rz6EhSWomXGzimC1Q"}
                """#.utf8),
            data: hex("bfabc37432958b063360d3ad6461c9c4735ae7f8edd46592a5e0f01452b2e4b50900000000"),
            signature: hex(
                """
                304402203310b9431903c401f1be2bdc8d23a4007682dbbddcf846994947b7f465daf840
                02204e94dd00047b316061b3b99772b7efd95994a83ef584b3b6b825ea3550251b66
                """)))
}

/// Encodes a CBOR map in any order.
func map(_ entries: [(CBOR, CBOR)]) -> CBOR {
    guard let map = try? CBOR.Map(entries) else { preconditionFailure("not a map: \(entries)") }
    return .map(map)
}

extension CBOR {
    /// Returns the same map with another value for a key; nil removes the key.
    func with(_ key: CBOR, _ value: CBOR?) -> CBOR {
        guard case .map(let entries) = self else { preconditionFailure("no map: \(self)") }
        let others = entries.entries.filter { $0.key != key }.map { ($0.key, $0.value) }
        return WebAuthnTests.map(others + (value.map { [(key, $0)] } ?? []))
    }
}

extension CBOR: ExpressibleByIntegerLiteral, ExpressibleByStringLiteral {
    public init(integerLiteral value: Int64) { self.init(value) }
    public init(stringLiteral value: String) { self = .text(value) }
}

extension [UInt8] {
    /// Returns the same bytes with one changed; a negative position counts from the end.
    func flipping(_ position: Int, by bits: UInt8 = 1) -> [UInt8] {
        var bytes = self
        bytes[position < 0 ? count + position : position] ^= bits
        return bytes
    }
}
