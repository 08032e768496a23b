import Curves
import Secrets
import TestSupport
import Testing
import Threshold

/// The published vectors of RFC 9591 for FROST(Ed25519, SHA-512), with small and with large participant numbers.
///
/// The library does not have the suite FROST(secp256k1, SHA-256), as its signatures are not BIP-340: of its vectors
/// only the key's sharing applies.
@Suite("FROST: RFC 9591 vectors", .withVectors)
struct RFC9591VectorTests {
    struct Share: Decodable { let identifier: Int, participant_share: String }
    struct Inputs: Decodable {
        let participant_list: [Int], group_secret_key: String, verifying_key_key: String, message: String
        let share_polynomial_coefficients: [String], participant_shares: [Share]
    }
    struct Round1: Decodable {
        let identifier: Int
        let hiding_nonce_randomness: String, binding_nonce_randomness: String
        let hiding_nonce: String, binding_nonce: String
        let hiding_nonce_commitment: String, binding_nonce_commitment: String
        let binding_factor: String
    }
    struct Round2: Decodable { let identifier: Int, sig_share: String }
    struct Outputs<Output: Decodable>: Decodable { let outputs: [Output] }
    struct Final: Decodable { let sig: String }
    struct File: Decodable {
        let inputs: Inputs, round_one_outputs: Outputs<Round1>, round_two_outputs: Outputs<Round2>, final_output: Final
    }

    /// The group of the file, made from its polynomial, with each share compared.
    func group<Group: Curve>(_ inputs: Inputs, over _: Group.Type) throws -> GroupKey<Group> {
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

    @Test("ed25519: nonces, binding factors, shares and signature", arguments: ["vectors", "vectors-big-identifier"])
    func ed25519(_ name: String) throws {
        let file = try Vectors.json("frost-rfc9591/ed25519/\(name).json", as: File.self)
        let group = try group(file.inputs, over: Ed25519.self)
        let message = hex(file.inputs.message)

        func secretShare(_ identifier: Int) throws -> KeyShare<Ed25519> {
            let share = try #require(file.inputs.participant_shares.first { $0.identifier == identifier })
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
        for output in file.round_one_outputs.outputs {
            let commitment = try nonces(output).commitment
            #expect(commitment.hiding.encoded == hex(output.hiding_nonce_commitment))
            #expect(commitment.binding.encoded == hex(output.binding_nonce_commitment))
            commitments.append(commitment)
        }
        let session = try FROST.Ed25519.Session(
            list: try FROST.CommitmentList(commitments), publicKey: group.publicKey, message: message)
        #expect(session.bindingFactors.map(\.encoded) == file.round_one_outputs.outputs.map { hex($0.binding_factor) })

        var shares: [FROST.Ed25519.SignatureShare] = []
        for (first, second) in zip(file.round_one_outputs.outputs, file.round_two_outputs.outputs) {
            let share = try session.sign(with: secretShare(first.identifier), nonces: nonces(first))
            #expect(share.value.encoded == hex(second.sig_share))
            let commitment = try #require(commitments.first { $0.index == share.index })
            #expect(
                session.isValid(
                    share, commitment: commitment, verificationShare: try group.verificationShare(of: share.index)))
            shares.append(share)
        }
        let signature = session.signature(
            sum: try FROST.Ed25519.SignatureShare.sum(shares, of: commitments.map(\.index)))
        #expect(signature == hex(file.final_output.sig))
        #expect(EdDSA.isValid(signature: signature, message: message, publicKey: group.publicKey.encoded))
    }

    @Test("secp256k1: the sharing of the key", arguments: ["vectors", "vectors-big-identifier"])
    func secp256k1Sharing(_ name: String) throws {
        let inputs = try Vectors.json("frost-rfc9591/secp256k1/\(name).json", as: File.self).inputs
        let group = try group(inputs, over: Secp256k1.self)
        let signers = inputs.participant_list.map(ParticipantIndex.init(unchecked:))
        let sum = try signers.reduce(Secp256k1.Point.identity) { sum, index in
            sum
                + (try group.verificationShare(of: index)).multipliedVariableTime(
                    by: Lagrange.coefficient(of: index, among: signers))
        }
        #expect(sum == group.publicKey)
    }
}
