import Curves
import Secrets
import TestSupport
import Testing

@testable import Threshold

@Suite("Threshold ECDSA: signing")
struct ECDSASigningTests {
    static let shapes = [(2, 2), (2, 3), (3, 5)]

    @Test("every set of signers signs, for every tweak, and the recovery id finds the key", arguments: shapes)
    func signs(_ threshold: Int, _ total: Int) throws {
        let random = SeededRandom(seed: 0xec_d5a)
        let key = try DealtKey(threshold, of: total, random: random)
        for (round, signers) in Self.subsets(of: key.group.parameters.indices, threshold).enumerated() {
            let tweak: Scalar<Secp256k1> = round == 0 ? .zero : Scalar(reducing: random.publicBytes(count: 64))
            let message = random.publicBytes(count: 32)
            let request = try ECDSA.SigningRequest(signers: signers, tweak: tweak, message: message)
            let result = try SigningRun.sign(key, request, random: random)
            let publicKey = key.group.publicKey + .generator.multipliedVariableTime(by: tweak)
            #expect(result.signature.isValid(message: message, publicKey: publicKey))
            #expect(result.signature.recoveredKey(message: message, recoveryID: result.recoveryID) == publicKey)
        }
    }

    @Test("a presignature signs the message that comes later")
    func presigns() throws {
        let random = SeededRandom(seed: 0xec_d5b)
        let key = try DealtKey(2, of: 3, random: random)
        let request = try ECDSA.SigningRequest(
            signers: Array(key.group.parameters.indices.prefix(2)), tweak: Scalar(7), message: nil)
        let message = random.publicBytes(count: 32)
        let result = try SigningRun.sign(key, request, message: message, random: random)
        #expect(
            result.signature.isValid(
                message: message, publicKey: key.group.publicKey + .generator.multipliedVariableTime(by: Scalar(7))))
    }

    /// All sets of `count` of these.
    static func subsets<Element>(of all: [Element], _ count: Int) -> [[Element]] {
        guard count > 0 else { return [[]] }
        guard let first = all.first else { return [] }
        let rest = Array(all.dropFirst())
        return subsets(of: rest, count - 1).map { [first] + $0 } + subsets(of: rest, count)
    }
}
