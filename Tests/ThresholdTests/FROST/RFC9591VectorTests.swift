import Curves
import Secrets
import TestSupport
import Testing
import Threshold
import ThresholdTestSupport

/// The published vectors of RFC 9591 for FROST(Ed25519, SHA-512), with small and with large participant numbers.
///
/// The library does not have the suite FROST(secp256k1, SHA-256), as its signatures are not BIP-340: of its vectors
/// only the key's sharing applies.
@Suite("FROST: RFC 9591 vectors")
struct RFC9591VectorTests {
    struct Share: Decodable { let identifier: Int, participant_share: String }
    struct Case: Decodable {
        let participant_list: [Int], group_secret_key: String, verifying_key_key: String, message: String
        let share_polynomial_coefficients: [String], participant_shares: [Share]
        /// Nil for secp256k1.
        let round_one: [Round1]?, round_two: [Round2]?, signature: String?
    }
    struct Round1: Decodable {
        let identifier: Int
        let hiding_nonce_randomness: String, binding_nonce_randomness: String
        let hiding_nonce: String, binding_nonce: String
        let hiding_nonce_commitment: String, binding_nonce_commitment: String
        let binding_factor: String
    }
    struct Round2: Decodable { let identifier: Int, sig_share: String }

    /// The numbers of participants: in the first case they are 1 to 3, in the second one up to 257.
    static let cases = [(0, 3, 2), (1, 257, 3)]

    static func test(_ number: Int, of curve: String, _ total: Int, _ signers: Int) throws -> Case {
        let tests = try Vectors.json("rfc9591/\(curve)", as: [Case].self)
        #expect(tests.count == cases.count)
        #expect(tests[number].participant_shares.count == total && tests[number].participant_list.count == signers)
        return tests[number]
    }

    /// The group of the file, made from its polynomial, with each share compared.
    func group<Group: Curve>(_ inputs: Case, over _: Group.Type) throws -> GroupKey<Group> {
        let coefficients = try ([inputs.group_secret_key] + inputs.share_polynomial_coefficients)
            .map { try Scalar<Group>(canonical: hex($0)) }
        let commitment = PolynomialCommitment<Group>(
            uncheckedCoefficients: coefficients.map { Group.Point.generator.multipliedVariableTime(by: $0) })
        #expect(commitment.constant.encoded == hex(inputs.verifying_key_key))
        let total = inputs.participant_shares.count
        let shares = try inputs.participant_shares.map { share in
            let secret: SecretScalar<Group> = try scalar(share.participant_share)
            let point = secret.timesGenerator()
            #expect(point == commitment.share(of: ParticipantIndex(unchecked: share.identifier)))
            return point
        }
        return try GroupKey(
            parameters: ThresholdParameters(uncheckedThreshold: coefficients.count, total: total),
            publicKey: commitment.constant, verificationShares: shares)
    }

    @Test("ed25519: nonces, binding factors, shares and signature", arguments: cases)
    func ed25519(_ number: Int, _ total: Int, _ signers: Int) throws {
        let test = try Self.test(number, of: "ed25519", total, signers)
        let (first, second) = (try #require(test.round_one), try #require(test.round_two))
        #expect(first.count == signers && second.count == signers)
        let group = try group(test, over: Ed25519.self)
        let message = hex(test.message)

        func secretShare(_ identifier: Int) throws -> KeyShare<Ed25519> {
            let share = try #require(test.participant_shares.first { $0.identifier == identifier })
            return try KeyShare(
                index: ParticipantIndex(unchecked: identifier), secret: scalar(share.participant_share), group: group)
        }
        func nonces(_ output: Round1) throws -> FROST.Ed25519.SigningNonces {
            FROST.Ed25519.nonces(
                index: ParticipantIndex(unchecked: output.identifier),
                secret: try secretShare(output.identifier).secret,
                random: secret(hex(output.hiding_nonce_randomness + output.binding_nonce_randomness)))
        }

        var commitments: [FROST.Ed25519.Commitment] = []
        for output in first {
            let commitment = try nonces(output).commitment
            #expect(commitment.hiding.encoded == hex(output.hiding_nonce_commitment))
            #expect(commitment.binding.encoded == hex(output.binding_nonce_commitment))
            commitments.append(commitment)
        }
        let session = try FROST.Ed25519.Session(
            list: try FROST.CommitmentList(commitments), publicKey: group.publicKey, message: message)
        #expect(session.bindingFactors.map(\.encoded) == first.map { hex($0.binding_factor) })

        var shares: [FROST.Ed25519.SignatureShare] = []
        for (nonce, answer) in zip(first, second) {
            let share = try session.sign(with: secretShare(nonce.identifier), nonces: nonces(nonce))
            #expect(share.value.encoded == hex(answer.sig_share))
            let commitment = try #require(commitments.first { $0.index == share.index })
            #expect(
                session.isValid(
                    share, commitment: commitment, verificationShare: try group.verificationShare(of: share.index)))
            shares.append(share)
        }
        let signature = session.signature(
            sum: try FROST.Ed25519.SignatureShare.sum(shares, of: commitments.map(\.index)))
        #expect(try signature == hex(#require(test.signature)))
        #expect(EdDSA.isValid(signature: signature, message: message, publicKey: group.publicKey.encoded))
    }

    @Test("secp256k1: the sharing of the key", arguments: cases)
    func secp256k1Sharing(_ number: Int, _ total: Int, _ signers: Int) throws {
        let test = try Self.test(number, of: "secp256k1", total, signers)
        let group = try group(test, over: Secp256k1.self)
        let signers = test.participant_list.map(ParticipantIndex.init(unchecked:))
        let sum = try signers.reduce(Secp256k1.Point.identity) { sum, index in
            sum
                + (try group.verificationShare(of: index)).multipliedVariableTime(
                    by: Lagrange.coefficient(of: index, among: signers))
        }
        #expect(sum == group.publicKey)
    }
}
