import BitcoinTestSupport
import Curves
internal import DisplayText
import Encoding
import Secrets
import TestSupport
import Testing

@testable import Bitcoin
@testable import HDKeys

@Suite("Fuzzed input")
struct FuzzTests {
    private static func psbts() throws -> [[UInt8]] {
        let signer = try LoneSigner()
        var draft = try Draft.payment(by: signer)
        let plain = try draft.psbt
        let key = try signer.account.key(at: AddressPath(.receive, index: 0))
        draft.inputs.append((Draft.bob, 7_000, 0xFFFF_FFFD))
        let rich = try draft.psbt.adding([0x17], key.internalKey, toMap: 1).adding([0x03], [1, 0, 0, 0], toMap: 2)
            .adding([0x16] + key.internalKey, derivation(signer.account, [0, 0]), toMap: 1)
            .adding([0x07] + key.internalKey, derivation(signer.account, [1, 0]), toMap: 4)
            .adding([0x06], [1, 0xC0, 1, 0x51, 1, 0xC0, 1, 0x51], toMap: 4).adding([0xFC, 1, 9, 0], [7], toMap: 0)
        let signed = try signer.sign(plain)
        let unproven = try PSBT(draft.transaction)
        let both = try LoneSigner.withBothKeys()
        let mixed = try Draft.mixedPayment(by: both).provenPSBT
        let segwit = try both.segwit.key(at: AddressPath(.receive, index: 1)).publicKey.encoded
        let claimed = try mixed.replacing(0x06, data: segwit, with: derivation(both.segwit, [0, 1]), ofInput: 0)
        let mixedSigned = try both.sign(claimed)
        return [
            plain.encoded, rich.encoded, signed.encoded, try signed.finalised().encoded, unproven.encoded,
            claimed.encoded, mixedSigned.encoded, try mixedSigned.finalised().encoded,
        ]
    }

    @Test("a mutated PSBT is refused, or read, summarised, combined and finalised without a trap")
    func psbt() throws {
        let ownership = try LoneSigner.withBothKeys().ownership
        var (tried, accepted) = (0, 0)
        Fuzz.mutations(of: try Self.psbts(), iterations: 6_000) { bytes in
            tried += 1
            guard let psbt = try? PSBT(decoding: bytes) else { return }
            accepted += 1
            guard try PSBT(decoding: psbt.encoded) == psbt else { throw BitcoinError.badTransaction }
            let summary = SpendSummary(of: psbt, for: ownership)
            // A refused PSBT gives no requests; an accepted one has its fee.
            guard summary.refusals.isEmpty ? summary.fee != nil : summary.signingRequests.isEmpty else {
                throw BitcoinError.incomplete(input: 0)
            }
            // ECDSA is requested only where every amount is proven.
            let asksForECDSA = summary.signingRequests.contains { if case .segwit = $0.key { true } else { false } }
            guard !asksForECDSA || psbt.inputs.allSatisfy(\.isProven) else { throw BitcoinError.badSignature(input: 0) }
            _ = summary.warnings.map(\.description) + summary.refusals.map(\.description)
            _ = (summary.spent, summary.paid, summary.returned)
            _ = try? psbt.combined(with: psbt)
            _ = try? psbt.finalised().transaction()
            _ = try? psbt.transaction()
        }
        #expect(accepted * 12 > tried)
    }

    @Test("a mutated PSBT file in text is refused or read without a trap")
    func text() throws {
        let seeds = try Self.psbts().prefix(2).flatMap { bytes in
            let psbt = try PSBT(decoding: bytes)
            return [psbt.file(as: .base64), psbt.file(as: .hexadecimal)]
        }
        Fuzz.mutations(of: seeds, iterations: 4_000) { bytes in _ = try? PSBT(bytes) }
    }

    @Test("a mutated transaction is refused, or encodes to the same bytes")
    func transaction() throws {
        let simple = try Transaction(decoding: TransactionTests.segwit)
        let plain = Transaction(version: 1, inputs: [simple.inputs[1]], outputs: simple.outputs, lockTime: 0)
        let part = Fuzz.roundTrips(
            of: [simple.encoded, plain.encoded], iterations: 10_000, decode: { try Transaction(decoding: $0) },
            encode: { $0.encoded })
        #expect(part > 0.2)
        Fuzz.roundTrips(
            of: [plain.encoded, [2, 0, 0, 0, 0, 0, 0, 0, 0, 0]], iterations: 4_000,
            decode: { try Transaction(decodingUnsigned: $0) }, encode: { $0.encoded })
    }

    @Test("mutated fields of a PSBT are refused or read without a trap")
    func fields() throws {
        let seeds = PSBTFieldTests.fields.filter { $0.3 && $0.2 == 1 }.map {
            [UInt8($0.0.count)] + $0.0 + [UInt8($0.1.count)] + $0.1 + [0]
        }
        Fuzz.mutations(of: seeds, iterations: 10_000) { bytes in
            var reader = try ByteReader(bytes, limit: bytes.count)
            var budget = 8
            guard let map = try? KeyValueMap(from: &reader, map: .input(0), budget: &budget) else { return }
            try? FieldRules.check(map, as: .input(0))
            try? FieldRules.check(map, as: .output(0))
            try? FieldRules.check(map, as: .global)
            _ = map.all(PSBTType.Input.tapDerivation).map { TaprootDerivation(key: $0.data, value: $0.value) }
        }
    }

    @Test("mutated text is refused, or printed unchanged")
    func texts() throws {
        Fuzz.texts(
            of: ["1500 sat", "2100000000000000 sat", "0 sat", "0.00001000 BTC", "20999999.99999999 BTC"],
            iterations: 8_000
        ) {
            let amount = try Amount($0)
            return try Amount(amount.description) == amount && Amount(satoshis: "\(amount.satoshis)") == amount
                ? $0 : ""
        }
        Fuzz.texts(of: [String(repeating: "0a", count: 32)]) {
            try TransactionID($0).description == $0.lowercased() ? $0 : ""
        }
        Fuzz.texts(of: AddressTests.samples.map(\.0)) { text in
            let address = try Address(text)
            let network = try #require(Network.allCases.first { (try? address.require($0)) != nil })
            let printed = try address.require(network).description
            return printed == text || printed == text.lowercased() ? text : printed
        }
        let account = try TaprootAccount(groupKey: .generator, network: .mainnet)
        Fuzz.texts(of: [account.descriptor.text], iterations: 2_000) { try OutputDescriptor($0, on: .mainnet).text }
    }
}
