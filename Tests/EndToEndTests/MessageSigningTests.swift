internal import Encoding
internal import Foundation
import TestSupport
import Testing

/// `fueki sign-message` and `fueki sign-typed-data`, verified by independent software: rust-bitcoin's verifier of
/// BIP-322, and eth-account.
@Suite(
    "Messages that shares sign", .enabled(if: Peer.python.isExpected, Comment(rawValue: Peer.python.absence)))
struct MessageSigningTests {
    private struct Signed: Decodable {
        struct Intent: Decodable {
            struct Remark: Decodable { let name, weight: String }
            let digest: String
            let remarks: [Remark]
        }
        let signature: String
        let address: String
        let shares: [String]
        let intent: Intent
    }

    private struct Claim: Encodable {
        var address: String?
        var message: String?
        var text: String?
        var document: String?
        let signature: String
    }

    private static let pairs = ["device,backup", "device,recovery", "backup,recovery"]

    private static func permit(
        value: String, spender: String = "0x" + String(repeating: "5b", count: 20), chain: Int = 11_155_111
    ) -> String {
        """
        {"types": {
          "EIP712Domain": [{"name": "name", "type": "string"}, {"name": "chainId", "type": "uint256"},
            {"name": "verifyingContract", "type": "address"}],
          "Permit": [{"name": "owner", "type": "address"}, {"name": "spender", "type": "address"},
            {"name": "value", "type": "uint256"}, {"name": "nonce", "type": "uint256"},
            {"name": "deadline", "type": "uint256"}]},
         "primaryType": "Permit",
         "domain": {"name": "Token", "chainId": \(chain), "verifyingContract": "0x\(String(repeating: "a0", count: 20))"},
         "message": {"owner": "0x\(String(repeating: "11", count: 20))", "spender": "\(spender)", "value": "\(value)",
           "nonce": 0, "deadline": 2000000000}}
        """
    }

    private struct Account: Decodable { let address: String }

    private func account(_ number: Int = 0, of wallet: borrowing TestWallet) throws -> String {
        try wallet.fueki.json(
            "address", wallet.name, "--type", "ethereum", "--account", "\(number)", as: Account.self
        ).address
    }

    private func sign(_ wallet: borrowing TestWallet, _ arguments: [String], with shares: String) throws -> Signed {
        try wallet.fueki.json(
            arguments + ["--with", shares, "--passphrase-file", "passphrase"]
                + (arguments.contains("--expect") ? [] : ["--yes"]))
    }

    @Test("each pair of shares signs for addresses of both kinds; rust-bitcoin's verifier and ours accept")
    func bitcoin() throws {
        let wallet = try TestWallet()
        let message = "I hold this address. Grüße! ✓"
        for shares in Self.pairs {
            for type in ["taproot", "segwit"] {
                let address = try wallet.address(2, type: type).address
                let byIndex = try sign(
                    wallet, ["sign-message", "savings", "--text", message, "--type", type, "--index", "2"], with: shares
                )
                #expect(byIndex.address == address && byIndex.shares.joined(separator: ",") == shares)
                let bare = byIndex.signature.hasPrefix("smp") ? String(byIndex.signature.dropFirst(3)) : ""
                let verdicts: [Bool] = try Python.ask(
                    "bip322_verify.py",
                    [
                        Claim(address: address, message: message, signature: bare),
                        Claim(address: address, message: message + ".", signature: bare),
                    ])
                #expect(verdicts == [true, false])
                let ours = try wallet.fueki.run(
                    "verify-message", "--text", message, "--address", address, "--signature", byIndex.signature)
                #expect(ours.isSuccess)
            }
        }
        // The signing address can be named itself.
        let address = try wallet.address(7, type: "segwit").address
        let named = try sign(
            wallet, ["sign-message", "savings", "--text", message, "--address", address], with: "device,backup")
        #expect(named.address == address)
        let foreign = try wallet.fueki.run(
            "sign-message", "savings", "--text", message, "--address", Bob.address, "--yes", "--passphrase-file",
            "passphrase")
        #expect(foreign.status == 64)
    }

    @Test("each pair of shares signs personal messages and permits; eth-account recovers the requested account")
    func ethereum() throws {
        let wallet = try TestWallet()
        let text = "I hold this account\n"
        try wallet.fueki.folder.write(text, to: "message")
        let permit = Self.permit(value: "1000")
        try wallet.fueki.folder.write(permit, to: "permit.json")
        for (account, shares) in Self.pairs.enumerated() {
            let address = try self.account(account, of: wallet)
            let message = try sign(
                wallet, ["sign-message", "savings", "message", "--chain", "ethereum", "--account", "\(account)"],
                with: shares)
            let typed = try sign(
                wallet,
                [
                    "sign-typed-data", "savings", "permit.json", "--account", "\(account)", "--accept",
                    "first_allowance",
                ], with: shares)
            let signers: [String] = try Python.ask(
                "ethereum.py", command: "signers",
                [
                    Claim(text: Hex.encode(text.utf8), signature: message.signature),
                    Claim(document: permit, signature: typed.signature),
                    Claim(document: Self.permit(value: "1001"), signature: typed.signature),
                ])
            #expect(signers.prefix(2) == [address, address] && signers[2] != address)
            #expect(message.address == address && typed.address == address)
        }
    }

    @Test("an unlimited permit shows its costly finding, and is signed with its digest and not with --yes")
    func unlimited() throws {
        let wallet = try TestWallet()
        let most = Self.permit(value: "0x" + String(repeating: "f", count: 64))
        try wallet.fueki.folder.write(most, to: "permit.json")
        let command = ["sign-typed-data", "savings", "permit.json", "--passphrase-file", "passphrase"]
        let refused = try wallet.fueki.run(command + ["--yes"])
        #expect(refused.status == 2 && refused.output.isEmpty)
        #expect(refused.errors.contains("may take all of these tokens, now or at any time"))
        #expect(refused.errors.contains("not signed with --yes"))
        let line = try #require(refused.errors.split(separator: "\n").first { $0.hasPrefix("  digest") })
        let digest = try #require(line.split(separator: " ").last)
        let signed = try sign(
            wallet,
            [
                "sign-typed-data", "savings", "permit.json", "--expect", "\(digest)", "--accept",
                "unlimited_allowance,first_allowance",
            ],
            with: "device,backup")
        #expect(signed.intent.remarks.contains { $0.name == "unlimited_allowance" && $0.weight == "costly" })
        let signers: [String] = try Python.ask(
            "ethereum.py", command: "signers", [Claim(document: most, signature: signed.signature)])
        #expect(try signers == [account(of: wallet)])
        // The digest is for this document and no other.
        try wallet.fueki.folder.write(Self.permit(value: "1"), to: "other.json")
        let other = try wallet.fueki.run(
            "sign-typed-data", "savings", "other.json", "--expect", "\(digest)", "--passphrase-file", "passphrase")
        #expect(other.status == 2 && other.output.isEmpty)
    }

    @Test("a small permit for an unknown spender, and one for a chain with real coins, have to be accepted explicitly")
    func unknownSpender() throws {
        let wallet = try TestWallet()
        let spender = "0x" + String(repeating: "5B", count: 20)
        try wallet.fueki.folder.write(Self.permit(value: "1"), to: "permit.json")
        let command = ["sign-typed-data", "savings", "permit.json", "--passphrase-file", "passphrase", "--yes"]
        let refused = try wallet.fueki.run(command)
        #expect(refused.status == 2 && refused.output.isEmpty)
        #expect(refused.errors.contains("whom you have neither named as a contact nor paid"), "\(refused.errors)")
        #expect(try wallet.fueki.run(command + ["--accept", "first_payment"]).status == 2)
        #expect(try wallet.fueki.run(command + ["--accept", "first_allowance"]).isSuccess)
        let added = try wallet.fueki.run(
            "contact", "add", "savings", "exchange", spender.lowercased(), "--passphrase-file", "passphrase")
        #expect(added.isSuccess, "\(added.errors)")
        #expect(try wallet.fueki.run(command).isSuccess)

        try wallet.fueki.folder.write(Self.permit(value: "1", chain: 1), to: "permit.json")
        let real = try wallet.fueki.run(command + ["--json"])
        #expect(real.status == 2 && real.errors.contains("\"other_network\""), "\(real.errors)")
        #expect(real.errors.contains("the wallet 'savings' is for test coins (regtest)") && real.output.isEmpty)
        let meant = try wallet.fueki.run(command + ["--other-network", "--json"])
        #expect(meant.isSuccess && meant.output.contains("\"other_network\""), "\(meant.errors)")
    }

    @Test("typed data of unknown meaning is denied, until a policy names it")
    func unknown() throws {
        let wallet = try TestWallet()
        let order = Self.permit(value: "1000").replacing("\"Permit\"", with: "\"Order\"")
        try wallet.fueki.folder.write(order, to: "order.json")
        let command = ["sign-typed-data", "savings", "order.json", "--passphrase-file", "passphrase"]
        let denied = try wallet.fueki.run(command + ["--yes"])
        #expect(denied.status == 2 && denied.errors.contains("unreadable data") && denied.output.isEmpty)
        try wallet.fueki.folder.write(
            #"{"version": 1, "rules": [{"name": "orders", "if": {"effect": "statement"}, "then": "allow"}]}"#,
            to: "policy.json")
        let set = try wallet.fueki.run(
            "policy", "set", "savings", "policy.json", "--yes", "--passphrase-file", "passphrase")
        #expect(set.isSuccess, "\(set.errors)")
        // It stays costly: --yes does not accept it.
        let refused = try wallet.fueki.run(command + ["--yes"])
        #expect(refused.status == 2 && refused.errors.contains("not signed with --yes"))
        let line = try #require(refused.errors.split(separator: "\n").first { $0.hasPrefix("  digest") })
        let digest = try #require(line.split(separator: " ").last)
        let signed = try sign(
            wallet,
            ["sign-typed-data", "savings", "order.json", "--expect", "\(digest)", "--accept", "unknown_statement"],
            with: "backup,recovery")
        let signers: [String] = try Python.ask(
            "ethereum.py", command: "signers", [Claim(document: order, signature: signed.signature)])
        #expect(try signers == [account(of: wallet)])
        // Typed data that the policy does not name are now denied.
        let message = try wallet.fueki.run(
            "sign-message", "savings", "--text", "hello", "--yes", "--passphrase-file", "passphrase")
        #expect(message.status == 2 && message.output.isEmpty)
    }
}
