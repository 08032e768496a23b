import Curves
import Secrets
import TestSupport
import Testing
import Threshold
import ThresholdTestSupport

@testable import ThresholdECDSA

@Suite("Threshold ECDSA: signing")
struct ECDSASigningTests {
    static let shapes = [(2, 2), (2, 3), (3, 5)]

    @Test("every set of signers signs, for every tweak, and the recovery id recovers the key", arguments: shapes)
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

    @Test("a presignature signs a message that is chosen later")
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

    @Test("a presignature and its parts have their session's identity: one for all signers, another for each session")
    func identities() throws {
        let random = SeededRandom(seed: 0xec_d5c)
        let key = try DealtKey(2, of: 3, random: random)
        let request = try ECDSA.SigningRequest(
            signers: Array(key.group.parameters.indices.prefix(2)), message: nil)
        var seen: Set<[UInt8]> = []
        for _ in 0..<2 {
            var run = SigningRun(request: request, group: key.group)
            let presignatures = try run.presign(key, random: random)
            let ids = presignatures.map { $0.borrow { $0.id } }
            // As it stands in the sealed messages, behind their headers.
            let transfer = try #require(run.delivered.first { $0.step == .transfer })
            #expect(ids == [[UInt8]](repeating: Array(transfer.bytes[3..<35]), count: 2))
            let parts = try presignatures.map { try $0.take().sign([UInt8](repeating: 9, count: 32)) }
            #expect(parts.map(\.id) == ids)
            #expect(try parts.map { try ECDSA.PartialSignature(decoding: $0.encoded) } == parts)
            seen.formUnion(ids)
        }
        #expect(seen.count == 2)
    }

    /// All sets of `count` of these.
    static func subsets<Element>(of all: [Element], _ count: Int) -> [[Element]] {
        guard count > 0 else { return [[]] }
        guard let first = all.first else { return [] }
        let rest = Array(all.dropFirst())
        return subsets(of: rest, count - 1).map { [first] + $0 } + subsets(of: rest, count)
    }
}
