import CrashWriter
import ExchangeCredentials
import ExchangeTestSupport
import Foundation
import SecretStoreTestSupport
import Secrets
import SecureStorage
import TestSupport
import Testing
import Time

@testable import Exchange

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// Processes that share one key and one folder, and are killed at any moment.
@Suite("Killed processes") struct KillTests {
    private let folder: SharedFolder

    init() throws { folder = try SharedFolder() }

    private func makeVault() async throws -> String {
        let path = "\(folder.path)/keys.vault"
        let vault = try VaultFile.create(
            at: path, passphrase: secret("the passphrase"), freshness: .unchecked, random: SystemRandom())
        let credential = try ExchangeCredential(
            key: APIKey(DocumentedKeys.krakenKey, of: .kraken),
            secret: SigningSecret(reading: secret(DocumentedKeys.krakenSecret), of: .kraken), passphrase: nil,
            created: Timestamp(milliseconds: 0))
        try await Keyring(in: vault).add(credential, as: try KeyLabel("main"))
        await vault.close()
        return path
    }

    private func start(_ vault: String, count: Int) throws -> Companion {
        try Companion(
            "\(FuekiCommand.binaries)/CrashWriter",
            ["exchange", vault, "the passphrase", "\(folder.path)/state", "\(count)"])
    }

    @Test(
        "every order that left is in the journal, and no nonce is used twice, by two processes that are killed again and again"
    )
    func killed() async throws {
        let vault = try await makeVault()
        let key = try APIKey(DocumentedKeys.krakenKey, of: .kraken)
        var nonces: [UInt64] = []
        var placed = 0
        for round in 0..<4 {
            let writers = try [start(vault, count: 100_000), start(vault, count: 100_000)]
            let lines = SeededRandom(seed: UInt64(round)).below(20) + 10
            try Patience.block(for: "\(lines) lines of both") {
                try #require(
                    writers.allSatisfy { $0.status == nil }, "\(writers.map(\.output)) \(writers.map(\.errors))")
                return writers.allSatisfy { $0.output.utf8.count(where: { $0 == 0x0A }) >= lines }
            }
            for writer in writers { writer.signal(SIGKILL) }
            for writer in writers { try await writer.end() }
            let said = writers.flatMap { $0.output.split(separator: "\n").map { $0.split(separator: " ") } }
            #expect(!said.contains { $0.first == "refused" })
            let journal = try ExchangeState(
                folder: "\(folder.path)/state", seen: "\(folder.path)/state.seen"
            ).journal(of: key)
            // The journal keeps the last orders; each process has sent fewer in a round.
            for words in said where words.count >= 2 && words[1].utf8.count == 36 {
                let id = try ClientOrderID(String(words[1]))
                let entry = try #require(journal[id], "round \(round): \(words[0]) and not in the journal")
                if words[0] == "placed" {
                    #expect(!entry.isOpen, "round \(round): acknowledged, and lost")
                    placed += 1
                }
            }
            // Each process has one order under way at most.
            #expect(journal.entries.filter { $0.isOpen }.count <= 2 * (round + 1))
            nonces += said.compactMap { $0.count == 3 ? UInt64($0[2]) : nil }
        }
        #expect(Set(nonces).count == nonces.count, "a nonce was used twice")
        #expect(placed > 20)
        let names = try FileManager.default.contentsOfDirectory(atPath: "\(folder.path)/state")
        #expect(names.allSatisfy { !$0.contains(DocumentedKeys.krakenKey.prefix(6)) })
    }
}
