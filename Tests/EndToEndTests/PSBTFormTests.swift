internal import Foundation
import TestSupport
import Testing

@Suite(
    "The files that are signed", .enabled(if: Peer.python.isExpected, Comment(rawValue: Peer.python.absence)))
struct PSBTFormTests {
    @Test("a PSBT in binary, base64 or hexadecimal is returned signed in the same form, and embit reads it")
    func forms() throws {
        let wallet = try TestWallet()
        let address = try wallet.address()
        let coin = wallet.inventedCoin(at: address)
        let base64 = try Embit.psbt(
            inputs: [.init(coin, key: wallet.key(of: address))],
            outputs: [.init(value: coin.value - 10_000, scriptPubKey: Bob.scriptPubKey)])
        let binary = try #require(Data(base64Encoded: base64))
        let path = { (name: String) in URL(fileURLWithPath: "\(wallet.folder)/\(name)") }
        try binary.write(to: path("binary.psbt"))
        try wallet.fueki.folder.write(base64 + "\n", to: "base64.psbt")
        try wallet.fueki.folder.write(hex(Array(binary)) + "\n", to: "hex.psbt")

        for form in ["binary", "base64", "hex"] {
            let signing = try wallet.sign("\(form).psbt", with: "device,backup", to: "\(form).signed")
            #expect(signing.status == 0, "\(form): \(signing.errors)")
        }
        let signed = [
            "binary": try Data(contentsOf: path("binary.signed")),
            "base64": try #require(Data(base64Encoded: trimmed(try wallet.fueki.folder.read("base64.signed")))),
            "hex": Data(hex(trimmed(try wallet.fueki.folder.read("hex.signed")))),
        ]
        for (form, psbt) in signed {
            #expect(psbt.starts(with: Array("psbt".utf8) + [0xFF]), "\(form)")
            let byEmbit = try Embit.transaction(of: psbt.base64EncodedString())
            #expect(try Kernel.verdicts(on: byEmbit, spending: [coin]) == [true], "\(form)")
            // The command makes the same transaction from every form.
            let finalizing = try wallet.fueki.run("psbt", "finalize", "\(form).signed", "-o", "\(form).hex")
            #expect(finalizing.status == 0, "\(form): \(finalizing.errors)")
            #expect(trimmed(try wallet.fueki.folder.read("\(form).hex")) == byEmbit, "\(form)")
        }
    }

    private func trimmed(_ text: String) -> String { text.trimmingCharacters(in: .whitespacesAndNewlines) }
}
