internal import Foundation
import TestSupport
import Testing

extension TestWallet {
    /// Makes embit write `payment.psbt`: 12.345 BTC to ``Bob``, and the change, from a coin on no chain. Returns its
    /// bytes.
    @discardableResult
    borrowing func writePayment() throws -> Data {
        let address = try address()
        let change = try self.address(change: true)
        let coin = inventedCoin(at: address)
        let psbt = try Embit.psbt(
            inputs: [.init(coin, key: key(of: address))],
            outputs: [
                .init(value: 1_234_500_000, scriptPubKey: Bob.scriptPubKey),
                .init(
                    value: coin.value - 1_234_510_000, scriptPubKey: change.script_pubkey, key: key(of: change)),
            ])
        try fueki.folder.write(psbt, to: "payment.psbt")
        return try #require(Data(base64Encoded: psbt))
    }

    /// Expects that a command refused with this status and these words, and left no `signed.psbt`.
    borrowing func expectNothingSigned(
        _ outcome: Program.Outcome, status: Int32, says words: String, _ location: SourceLocation = #_sourceLocation
    ) {
        #expect(outcome.status == status, "\(outcome.errors)", sourceLocation: location)
        #expect(outcome.errors.contains(words), "\(outcome.errors)", sourceLocation: location)
        #expect(outcome.output.isEmpty, sourceLocation: location)
        #expect(files.filter { $0.contains("signed.psbt") }.isEmpty, sourceLocation: location)
    }
}
