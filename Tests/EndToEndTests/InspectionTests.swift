internal import Foundation
import TestSupport
import Testing

/// A person inspects a PSBT with one command and signs it with another.
@Suite(
    "What is shown of a PSBT is what is found when it is signed",
    .enabled(if: Peer.python.isExpected, Comment(rawValue: Peer.python.absence)))
struct InspectionTests {
    private struct Remark: Decodable, Hashable {
        let name: String
        let text: String
        let weight: String
    }

    private struct Found: Decodable {
        let remarks: [Remark]
        let digest: String
    }

    private struct Refused: Decodable {
        struct Reason: Decodable { let code: String }
        let error: Reason
        let intent: Found?
    }

    private struct Explained: Decodable { let intent: Found }

    /// Findings that only the wallet's book gives.
    private static let book: Set<String> = ["first_payment", "recently_paid", "replaces"]

    /// Payments with one fault or oddity each, by name.
    private func payments(of wallet: borrowing TestWallet) throws -> [(name: String, psbt: [UInt8])] {
        let (own, change) = (try wallet.address(), try wallet.address(change: true))
        let far = try wallet.address(2_147_483_647, change: true)
        let coin = wallet.inventedCoin(at: own)
        func psbt(_ outputs: [Embit.Output], known: Bool = true, isShown: Bool = true) throws -> [UInt8] {
            let key = known ? wallet.key(of: own) : nil
            let foreign = Coin(
                txid: coin.txid, vout: 1, value: coin.value, scriptPubKey: known ? coin.scriptPubKey : Bob.scriptPubKey)
            let base64 = try Embit.psbt(
                inputs: [.init(foreign, key: key, hasWitnessUTXO: isShown)], outputs: outputs)
            return Array(try #require(Data(base64Encoded: base64)))
        }
        let bob = Embit.Output(value: coin.value - 20_000, scriptPubKey: Bob.scriptPubKey)
        func back(_ value: Int64, to address: TestWallet.Address) -> Embit.Output {
            Embit.Output(value: value, scriptPubKey: address.script_pubkey, key: wallet.key(of: address))
        }
        let good = try psbt([bob, back(10_000, to: change)])
        return [
            ("good", good), ("data", try psbt([bob, .init(value: 0, scriptPubKey: "6a0568656c6c6f")])),
            ("burned", try psbt([bob, .init(value: 9_000, scriptPubKey: "6a0568656c6c6f")])),
            (
                "long data",
                try psbt([bob, .init(value: 0, scriptPubKey: "6a4c51" + String(repeating: "07", count: 81))])
            ),
            ("nothing paid", try psbt([bob, .init(value: 0, scriptPubKey: Bob.scriptPubKey + "")])),
            ("nothing to a script", try psbt([bob, .init(value: 0, scriptPubKey: "51")])),
            ("all a fee", try psbt([.init(value: 1_000, scriptPubKey: Bob.scriptPubKey)])),
            (
                "far change",
                try psbt([.init(value: 1_000, scriptPubKey: Bob.scriptPubKey), back(coin.value - 9_000, to: far)])
            ),
            ("more out than in", try psbt([.init(value: coin.value + 1, scriptPubKey: Bob.scriptPubKey)])),
            ("a stranger's", try psbt([bob], known: false)), ("not shown", try psbt([bob], isShown: false)),
            ("false change", try replacing(hex(change.script_pubkey), with: hex(Bob.scriptPubKey), in: good)),
            ("cut", Array(good.dropLast(9))), ("more", good + [0]),
        ]
    }

    private func replacing(_ old: [UInt8], with new: [UInt8], in bytes: [UInt8]) throws -> [UInt8] {
        let place = try #require(bytes.firstRange(of: old))
        return bytes[..<place.lowerBound] + new + bytes[place.upperBound...]
    }

    @Test("'psbt inspect', 'psbt sign' and 'policy explain' have the same findings, except for those from the book")
    func same() throws {
        let wallet = try TestWallet()
        var seen: Set<String> = []
        for (name, psbt) in try payments(of: wallet) {
            try Data(psbt).write(to: URL(fileURLWithPath: "\(wallet.folder)/\(name).psbt"))
            let file = "\(name).psbt"
            let inspected = try wallet.fueki.run("psbt", "inspect", file, "--wallet", wallet.name, "--json")
            let signed = try wallet.fueki.run(
                "psbt", "sign", wallet.name, file, "-o", "signed", "--dry-run", "--json", "--passphrase-file",
                "passphrase")
            let explained = try wallet.fueki.run("policy", "explain", file, "--wallet", wallet.name, "--json")
            guard inspected.isSuccess else {
                // All three refuse a file that is not a PSBT.
                #expect([signed.status, explained.status] == [inspected.status, inspected.status], "\(name)")
                let codes = try [inspected, signed, explained].map {
                    try JSONDecoder().decode(Refused.self, from: Data($0.errors.utf8)).error.code
                }
                #expect(Set(codes).count == 1, "\(name): \(codes)")
                continue
            }
            let shown = try JSONDecoder().decode(Found.self, from: Data(inspected.output.utf8))
            let judged =
                signed.isSuccess
                ? try JSONDecoder().decode(Found.self, from: Data(signed.output.utf8))
                : try #require(JSONDecoder().decode(Refused.self, from: Data(signed.errors.utf8)).intent)
            let told = try JSONDecoder().decode(Explained.self, from: Data(explained.output.utf8)).intent
            func known(_ found: Found) -> [Remark] { found.remarks.filter { !Self.book.contains($0.name) } }
            #expect(known(shown) == known(judged) && known(shown) == known(told), "\(name)")
            #expect(shown.digest == judged.digest && shown.digest == told.digest)
            #expect(signed.isSuccess == !shown.remarks.contains { $0.weight == "refusal" }, "\(name)")
            seen.formUnion(shown.remarks.map(\.name))
        }
        #expect(
            seen.isSuperset(of: [
                "data", "unspendable", "too_much_data", "zero_amount", "high_fee_share", "far_index",
                "outputs_exceed_inputs", "no_input_of_ours", "missing_previous_output", "false_output_claim",
            ]), "\(seen)")
    }

    @Test("data is shown as text and digits, signed, and kept in the history; burning coins has to be accepted by name")
    func data() throws {
        let wallet = try TestWallet()
        for (name, psbt) in try payments(of: wallet) where ["data", "burned"].contains(name) {
            try Data(psbt).write(to: URL(fileURLWithPath: "\(wallet.folder)/\(name).psbt"))
        }
        let shown = try wallet.fueki.run("psbt", "inspect", "data.psbt")
        #expect(shown.output.contains("writes 5 bytes\n  | 'hello' (0x68656c6c6f)\n"), "\(shown.output)")
        let signed = try wallet.sign("data.psbt", with: "device,backup")
        #expect(signed.isSuccess, "\(signed.errors)")
        let history = try wallet.fueki.run("history", wallet.name, "--passphrase-file", "passphrase")
        #expect(history.output.contains("data 'hello' (0x68656c6c6f)"), "\(history.output) \(history.errors)")
        let burned = try wallet.sign("burned.psbt", with: "device,backup", to: "burned")
        #expect(burned.status == 2 && burned.errors.contains("add --accept unspendable"), "\(burned.errors)")
        let named = try wallet.sign(
            "burned.psbt", with: "device,backup", to: "burned", confirmation: ["--yes", "--accept", "unspendable"])
        #expect(named.isSuccess, "\(named.errors)")
    }

    @Test("change to a far index is a payment: a script does not sign it, a limit counts it, the history names it")
    func farChange() throws {
        let wallet = try TestWallet()
        let psbt = try #require(try payments(of: wallet).first { $0.name == "far change" }).psbt
        try Data(psbt).write(to: URL(fileURLWithPath: "\(wallet.folder)/payment.psbt"))
        wallet.expectNothingSigned(
            try wallet.sign(with: "device,backup"), status: 2, says: "add --accept far_index")
        let accepting = ["--yes", "--accept", "far_index"]
        try limit(wallet, "1btc")
        wallet.expectNothingSigned(
            try wallet.sign(with: "device,backup", confirmation: accepting), status: 2, says: "no rule allows it")
        try limit(wallet, "50btc")
        let signed = try wallet.sign(with: "device,backup", confirmation: accepting)
        #expect(signed.isSuccess, "\(signed.errors)")
        let history = try wallet.fueki.run("history", wallet.name, "--passphrase-file", "passphrase")
        #expect(
            history.output.contains("payment 49.99991000 BTC to ")
                && history.output.contains("(far address m/1/2147483647 of this wallet)"),
            "\(history.output) \(history.errors)")
    }

    @Test("a limit counts the fee, so that a small payment cannot burn the rest, even if the fee is accepted")
    func burnedAsFee() throws {
        let wallet = try TestWallet()
        let psbt = try #require(try payments(of: wallet).first { $0.name == "all a fee" }).psbt
        try Data(psbt).write(to: URL(fileURLWithPath: "\(wallet.folder)/payment.psbt"))
        try limit(wallet, "0.001btc")
        let digest = try wallet.fueki.json("psbt", "inspect", "payment.psbt", as: Inspection.self).digest
        for confirmation in [["--expect", digest], ["--yes"]] {
            wallet.expectNothingSigned(
                try wallet.sign(
                    with: "device,backup",
                    confirmation: confirmation + ["--accept", "high_fee_share,high_fee_rate,large_fee"]),
                status: 2, says: "no rule allows it")
        }
    }

    private func limit(_ wallet: borrowing TestWallet, _ amount: String) throws {
        let number = amount.dropLast(3)
        try wallet.fueki.folder.write(
            """
            {"version": 1, "rules": [{"name": "a day", "then": "allow",
              "if": {"spent_at_most": {"amount": "\(number) BTC@bitcoin:regtest", "within": "24h"}}}]}
            """, to: "policy.json")
        let set = try wallet.fueki.run(
            "policy", "set", wallet.name, "policy.json", "--yes", "--passphrase-file", "passphrase")
        #expect(set.isSuccess, "\(set.errors)")
    }
}
