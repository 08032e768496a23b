import Curves
import Secrets
import TestSupport
import Testing
import Threshold

/// Proofs of possession and host signatures, each of which is valid for one use only.
@Suite("Sharing: proofs of possession")
struct PossessionTests {
    private static let message: [UInt8] = [0, 0, 0, 1]
    private static let other: [UInt8] = [0, 0, 0, 2]

    @Test("a host signature is not a proof of possession, nor the reverse", arguments: SharingTests.suites)
    func uses(_ suite: any Sharing.Ciphersuite.Type) throws {
        func check<Suite: Sharing.Ciphersuite>(_: Suite.Type) throws {
            for seed: UInt64 in 80..<84 {
                let random = SeededRandom(seed: seed)
                let key = SecretScalar<Suite.Group>(from: random)
                let publicKey = key.timesGenerator()
                let message = Self.message
                let auxiliary = SecretBytes(count: 32, from: random)
                let proof = Suite.provePossession(
                    of: key, publicKey: publicKey, message: message, auxiliary: auxiliary)
                let signature = try Suite.sign(message, hostKey: key, auxiliary: auxiliary)
                #expect(Suite.isProofOfPossession(proof, of: publicKey, message: message))
                #expect(Suite.isValid(signature: signature, message: message, hostKey: publicKey))
                #expect(!Suite.isProofOfPossession(signature, of: publicKey, message: message))
                #expect(!Suite.isValid(signature: proof, message: message, hostKey: publicKey))
                // It is valid for nothing else: another message, another key, another size.
                #expect(!Suite.isProofOfPossession(proof, of: publicKey, message: Self.other))
                #expect(!Suite.isValid(signature: signature, message: Self.other, hostKey: publicKey))
                #expect(!Suite.isProofOfPossession(proof, of: publicKey + .generator, message: message))
                #expect(!Suite.isValid(signature: signature, message: message, hostKey: publicKey + .generator))
                for size in [0, 32, 63, 65] {
                    let proof = Array((proof + proof).prefix(size))
                    let signature = Array((signature + signature).prefix(size))
                    #expect(!Suite.isProofOfPossession(proof, of: publicKey, message: message))
                    #expect(!Suite.isValid(signature: signature, message: message, hostKey: publicKey))
                }
            }
        }
        try check(suite)
    }

    /// Proves possession with a chosen nonce, as a cheater may: s = k + c·a. The point that comes before s need not be
    /// that of k.
    private func proof<Suite: Sharing.Ciphersuite>(
        by key: borrowing SecretScalar<Suite.Group>, encoded publicKey: [UInt8], commitment: [UInt8],
        nonce: borrowing SecretScalar<Suite.Group>, in _: Suite.Type
    ) -> [UInt8] {
        let challenge = Scalar<Suite.Group>(
            reducing: Suite.hash("pop message/challenge", commitment + publicKey + Self.message))
        return commitment + (nonce + key * challenge).revealed().encoded
    }

    @Test("on secp256k1, a proof whose nonce is the identity, or has an odd y, is refused; the key's parity is free")
    func secp256k1() throws {
        func check<Suite: Sharing.Ciphersuite>(_: Suite.Type) throws where Suite.Group == Secp256k1 {
            var parities: Set<Bool> = []
            for seed: UInt64 in 85..<93 {
                let random = SeededRandom(seed: seed)
                let any = SecretScalar<Secp256k1>(from: random)
                let isEven = any.timesGenerator().hasEvenY
                let key = isEven ? any.clone() : any.negated()
                let publicKey = key.timesGenerator()
                let nonce = SecretScalar<Secp256k1>(from: random)
                let point = nonce.timesGenerator()
                func isAccepted(_ commitment: [UInt8], _ nonce: borrowing SecretScalar<Secp256k1>) -> Bool {
                    let proof = proof(
                        by: key, encoded: publicKey.xOnly, commitment: commitment, nonce: nonce, in: Suite.self)
                    let isValid = Suite.isProofOfPossession(proof, of: publicKey, message: Self.message)
                    #expect(isValid == Suite.isProofOfPossession(proof, of: -publicKey, message: Self.message))
                    return isValid
                }
                parities.insert(point.hasEvenY)
                // An odd nonce has to be negated. Without that, the proof is of a point that has the same x.
                let isAcceptedAsItIs = isAccepted(point.xOnly, nonce)
                let isAcceptedNegated = isAccepted(point.xOnly, nonce.negated())
                #expect(isAcceptedAsItIs == point.hasEvenY)
                #expect(isAcceptedNegated != point.hasEvenY)
                // Anyone can make such a proof that knows c·a, and nothing of a.
                let nothing = SecretScalar<Secp256k1>(.zero)
                for commitment in [point.xOnly, [UInt8](repeating: 0, count: 32)] {
                    let isAccepted = isAccepted(commitment, nothing)
                    #expect(!isAccepted)
                }
            }
            #expect(parities.count == 2)
        }
        try check(Sharing.BIP340.self)
        try check(Sharing.ECDSA.self)
    }

    @Test("on edwards25519, a proof whose nonce is the identity is refused")
    func edwards25519() throws {
        typealias Suite = Sharing.Ed25519
        let random = SeededRandom(seed: 94)
        let key = SecretScalar<Curves.Ed25519>(from: random)
        let publicKey = key.timesGenerator()
        let nonce = SecretScalar<Curves.Ed25519>(from: random)
        func isAccepted(_ point: Curves.Ed25519.Point, _ nonce: borrowing SecretScalar<Curves.Ed25519>) -> Bool {
            let proof = proof(
                by: key, encoded: publicKey.encoded, commitment: point.encoded, nonce: nonce, in: Suite.self)
            return Suite.isProofOfPossession(proof, of: publicKey, message: Self.message)
        }
        let isHonestAccepted = isAccepted(nonce.timesGenerator(), nonce)
        #expect(isHonestAccepted)
        let isNothingAccepted = isAccepted(.identity, SecretScalar(.zero))
        #expect(!isNothingAccepted)
    }

    @Test("nobody proves possession of the identity", arguments: SharingTests.suites)
    func identity(_ suite: any Sharing.Ciphersuite.Type) throws {
        func check<Suite: Sharing.Ciphersuite>(_: Suite.Type) throws {
            for seed: UInt64 in 95..<99 {
                let nonce = SecretScalar<Suite.Group>(from: SeededRandom(seed: seed))
                // The answer is the nonce, since the key is zero.
                let encoded = nonce.timesGenerator().encoded
                let proof = encoded.suffix(32) + nonce.revealed().encoded
                #expect(!Suite.isProofOfPossession(Array(proof), of: .identity, message: Self.message))
            }
        }
        try check(suite)
    }
}
