internal import Curves
internal import Secrets
internal import Threshold

@testable internal import ThresholdECDSA

extension FuzzEntry {
    /// The shares and messages of threshold ECDSA.
    static let ecdsa: [FuzzEntry] = [
        // The pairs of an outdated share are dropped: the decoded share has to encode and decode to itself.
        FuzzEntry("ecdsa-key-share", seeds: try SeedECDSA.shares()) { input in
            let share = try ECDSA.KeyShare(decoding: secret(input))
            let encoded = exposed(share.encoded())
            guard share.isOutdated else { return encoded }
            guard let again = try? ECDSA.KeyShare(decoding: secret(encoded)) else {
                preconditionFailure("the outdated share that it writes is refused")
            }
            precondition(exposed(again.encoded()) == encoded, "written differently")
            return input
        },
        FuzzEntry("ecdsa-pair", seeds: [exposed(SeedECDSA.encodedPair(with: 2))]) { input in
            guard input.count == ECDSA.Pair.encodedSize else { return nil }
            let pair = try ECDSA.Pair(decoding: secret(input), at: 0)
            return exposed(SecretBytes(count: ECDSA.Pair.encodedSize) { pair.encode(into: $0) })
        },
        FuzzEntry("ecdsa-nonce-commitment", seeds: [SeedECDSA.nonceCommitment()]) {
            try ECDSA.NonceCommitment(decoding: $0, from: SeedECDSA.first, epoch: 3, context: SeedECDSA.name)
                .encoded(epoch: 3, context: SeedECDSA.name)
        },
        FuzzEntry("ecdsa-session", seeds: [SeedECDSA.nonceCommitment()]) { input in
            let first = ECDSA.NonceCommitment(
                index: SeedECDSA.second, nonce: SeedECDSA.name, commitment: SeedECDSA.name)
            let request = try ECDSA.SigningRequest(
                signers: [SeedECDSA.first, SeedECDSA.second], tweak: .zero, message: SeedECDSA.name)
            let messages = [
                SeedECDSA.first: input, SeedECDSA.second: first.encoded(epoch: 3, context: SeedECDSA.name),
            ]
            _ = try ECDSA.sessionID(after: messages, of: request)
            return input
        },
        FuzzEntry("ecdsa-multiplication", seeds: [SeedECDSA.multiplication()]) {
            try ECDSA.MultiplicationMessage(decoding: $0).encoded
        },
        FuzzEntry("ecdsa-partial-signature", seeds: [SeedECDSA.partialSignature()]) {
            try ECDSA.PartialSignature(decoding: $0).encoded
        },
        FuzzEntry(
            "ecdsa-sealed-message",
            seeds: [SeedECDSA.sealed.seal([1, 2, 3], key: SeedECDSA.key(), nonce: SeedECDSA.nonce)]
        ) {
            input in
            _ = try SeedECDSA.sealed.open(input, key: SeedECDSA.key())
            return input
        },
        FuzzEntry(
            "ecdsa-setup-confirmation",
            seeds: [
                try SeedECDSA.confirmation(SeedECDSA.first).encoded(from: SeedECDSA.first, in: SeedECDSA.session.value)
            ]
        ) {
            let session = try SeedECDSA.session.value
            return try ECDSA.PairSetup.Confirmation(decoding: $0, from: SeedECDSA.first, in: session)
                .encoded(from: SeedECDSA.first, in: session)
        },
        FuzzEntry("ecdsa-setup-certificate", seeds: [try SeedECDSA.certificate()]) {
            let session = try SeedECDSA.session.value
            let certificate = try ECDSA.PairSetup.Certificate(decoding: $0, in: session)
            _ = try? certificate.setup(in: session)
            _ = certificate.culprits(in: session)
            return certificate.encoded(in: session)
        },
    ]
}

/// Objects of threshold ECDSA, two of three. Secrets of pairs are random bytes, with which no signature can be made.
enum SeedECDSA {
    static let (first, second) = (ParticipantIndex(unchecked: 1), ParticipantIndex(unchecked: 2))
    static let name = [UInt8](repeating: 0x4E, count: 32)
    static let nonce = [UInt8](repeating: 0x4F, count: XChaCha20Poly1305.nonceSize)
    static let sealed = ECDSA.SealedMessage(
        kind: MessageKind(code: 0x40), session: name, sender: first, recipient: second)

    static func key() -> SecretBytes { secret(name) }

    // MARK: Shares

    static func encodedPair(with peer: Int) -> SecretBytes {
        var bytes = SeedRandom(UInt64(peer)).publicBytes(count: ECDSA.Pair.encodedSize)
        bytes[0] = UInt8(peer)
        return secret(bytes)
    }

    /// Returns a share with both of its pairs, one without one of them, and an outdated one without any.
    static func shares() throws -> [[UInt8]] {
        let key = try SeedKey<Secp256k1>(2, of: 3)
        return try [([2, 3], false), ([3], false), ([], true)].map { (peers: [Int], isOutdated: Bool) in
            let share = try ECDSA.KeyShare(
                key: try key.share(1), epoch: 3, setup: name,
                pairs: try peers.map { try ECDSA.Pair(decoding: encodedPair(with: $0), at: 0) }, isOutdated: isOutdated)
            return exposed(share.encoded())
        }
    }

    // MARK: Signing

    static func nonceCommitment() -> [UInt8] {
        ECDSA.NonceCommitment(index: first, nonce: name, commitment: name).encoded(epoch: 3, context: name)
    }

    static func multiplication() -> [UInt8] {
        let point = Secp256k1.Point.generator
        return ECDSA.MultiplicationMessage(
            multiplication: SeedRandom(1).publicBytes(count: ECDSA.Multiplication.messageSize),
            opening: .init(nonce: point, salt: name, key: point + point), firstPoint: point, secondPoint: -point,
            difference: Scalar(9)
        ).encoded
    }

    static func partialSignature() -> [UInt8] {
        ECDSA.PartialSignature(
            id: name, index: first, nonce: .generator, numerator: Scalar(7), denominator: Scalar(8)
        ).encoded
    }

    // MARK: The set-up of pairs

    private static func hostKey(_ number: Int) -> Sharing.HostKey<Sharing.ECDSA> {
        Sharing.HostKey(from: SeedRandom(UInt64(number)))
    }

    static let session = Once {
        try ECDSA.PairSetup.Session(
            group: try SeedKey<Secp256k1>(2, of: 3).group, epoch: 3, identifier: name,
            hostKeys: (1...3).map { hostKey($0).publicKey.encoded })
    }

    static func confirmation(_ index: ParticipantIndex) throws -> ECDSA.PairSetup.Confirmation {
        try ECDSA.PairSetup.Confirmation(
            signing: [name, name], as: index, in: session.value, hostKey: hostKey(index.value), random: SeedRandom(5))
    }

    static func certificate() throws -> [UInt8] {
        let session = try session.value
        return ECDSA.PairSetup.Certificate(try session.group.parameters.indices.map(confirmation)).encoded(in: session)
    }
}
