import Curves
import Encoding
import Secrets
import TestSupport
import Testing
import Threshold

@Suite("FROST: both protocols")
struct SigningTests {
    static let protocols: [any SigningProtocol.Type] = [BIP340UnderTest.self, Ed25519UnderTest.self]

    @Test("any t of n sign, and so do more than t", arguments: protocols)
    func anyQuorumSigns(_ scheme: any SigningProtocol.Type) throws {
        let random = SeededRandom(seed: 0x5161)
        for total in 2...15 {
            // Every threshold occurs for some total, and both ends for each.
            for threshold in Set([2, 2 + random.below(total - 1), total]) {
                let order = (1...total).shuffled(by: random)
                let count = threshold + random.below(total - threshold + 1)
                try signs(scheme, threshold, total, Array(order.prefix(count)), random)
            }
        }
    }

    @Test("every subset of a small group signs", arguments: protocols)
    func everySubsetSigns(_ scheme: any SigningProtocol.Type) throws {
        let random = SeededRandom(seed: 0x5162)
        for (threshold, total) in [(2, 3), (3, 4)] {
            for subset in 0..<(1 << total) {
                let indices = (1...total).filter { subset >> ($0 - 1) & 1 == 1 }
                if indices.count >= threshold { try signs(scheme, threshold, total, indices, random) }
            }
        }
    }

    private func signs<Scheme: SigningProtocol>(
        _: Scheme.Type, _ threshold: Int, _ total: Int, _ indices: [Int], _ random: SeededRandom
    ) throws {
        let signing = try Signing<Scheme>(threshold, of: total, by: indices, random: random)
        // Every message is encoded and decoded once.
        let package = try Scheme.decode(Scheme.encode(signing.package()))
        let shares = try signing.shares(package).map { try FROST.SignatureShare<Scheme.Group>(decoding: $0.encoded) }
        let signature = try Scheme.aggregate(shares, package, signing.group)
        #expect(
            Scheme.verifies(signature, signing.message, signing.group),
            "\(threshold) of \(total) by \(indices), seed \(random.seed)")
        for share in shares { #expect(try Scheme.isValid(share, package, signing.group)) }
    }

    @Test("messages of any length are signed, up to the limit", arguments: protocols)
    func messageLengths(_ scheme: any SigningProtocol.Type) throws {
        func check<Scheme: SigningProtocol>(_: Scheme.Type) throws {
            let random = SeededRandom(seed: 0x5163)
            for size in [0, 1, 31, 32, 33, 1_232, ThresholdLimits.messageSize] {
                let message = random.publicBytes(count: size)
                let signing = try Signing<Scheme>(2, of: 3, by: [1, 3], random: random, message: message)
                let package = try Scheme.decode(Scheme.encode(signing.package()))
                let signature = try Scheme.aggregate(signing.shares(package), package, signing.group)
                #expect(Scheme.verifies(signature, message, signing.group))
            }
            let long = [UInt8](repeating: 0, count: ThresholdLimits.messageSize + 1)
            let signing = try Signing<Scheme>(2, of: 3, by: [1, 3], random: random, message: long)
            #expect(throws: ThresholdError.malformed(.tooLong(limit: ThresholdLimits.messageSize))) {
                try signing.package()
            }
        }
        try check(scheme)
    }
}

extension Sequence {
    func shuffled(by random: SeededRandom) -> [Element] {
        var all = Array(self)
        for index in all.indices.reversed() { all.swapAt(index, random.below(index + 1)) }
        return all
    }
}
