internal import Foundation
import TestSupport
import Testing

/// `fueki sign-file` and `verify-file` with Debian's minisign, in both directions.
@Suite(
    "Files that shares sign", .enabled(if: Peer.minisign.isExpected, Comment(rawValue: Peer.minisign.absence)))
struct FileSigningTests {
    private struct Key: Decodable { let key, key_id: String }
    private struct Verdict: Decodable { let verdict, key_id, trusted_comment: String }

    private func succeed(_ outcome: Program.Outcome) { #expect(outcome.status == 0, "\(outcome.errors)") }

    private func minisign(_ arguments: [String], in folder: String) throws -> Program.Outcome {
        try Program.run(try #require(Peer.path(of: "minisign")), arguments, in: folder)
    }

    @Test("minisign verifies what each pair of shares signed, and refuses a changed file, comment and signature")
    func ours() throws {
        let wallet = try TestWallet()
        let key: Key = try wallet.fueki.json("wallet", "show", wallet.name, "--minisign-key")
        let keyFile = try wallet.fueki.run("wallet", "show", wallet.name, "--minisign-key")
        try wallet.fueki.folder.write(keyFile.output, to: "key.pub")
        try wallet.fueki.folder.write("release\n", to: "release.tar")
        for shares in ["device,backup", "device,recovery", "backup,recovery"] {
            try? FileManager.default.removeItem(atPath: "\(wallet.folder)/release.tar.minisig")
            succeed(
                try wallet.fueki.run(
                    "sign-file", wallet.name, "release.tar", "--with", shares, "--yes", "--passphrase-file",
                    "passphrase"))
            for named in [["-p", "key.pub"], ["-P", key.key]] {
                let verified = try minisign(["-V", "-H", "-m", "release.tar"] + named, in: wallet.folder)
                #expect(verified.status == 0, "\(verified.errors)")
                #expect(verified.output.contains("Trusted comment: file:release.tar"))
            }
        }
        let signature = try wallet.fueki.folder.read("release.tar.minisig")
        try wallet.fueki.folder.write(signature.replacing("file:release", with: "file:malware"), to: "comment.minisig")
        let refused = try minisign(
            ["-V", "-m", "release.tar", "-x", "comment.minisig", "-p", "key.pub"], in: wallet.folder)
        #expect(refused.status != 0)
        let changed = try wallet.fueki.run(
            "verify-file", "release.tar", "--signature", "comment.minisig", "--key", "key.pub")
        #expect(changed.status == 2)
        try wallet.fueki.folder.write("malware\n", to: "release.tar")
        let theirs = try minisign(["-V", "-m", "release.tar", "-p", "key.pub"], in: wallet.folder)
        let ours = try wallet.fueki.run("verify-file", "release.tar", "--wallet", wallet.name)
        #expect(theirs.status != 0 && ours.status == 2)
    }

    @Test("a signature by minisign is valid, and one without a digest is refused by name")
    func theirs() throws {
        let fueki = try FuekiCommand()
        for content in ["", "release\n", String(repeating: "0123456789abcdef", count: 200_000)] {
            try fueki.folder.write(content, to: "release.tar")
            succeed(try minisign(["-G", "-f", "-W", "-p", "key.pub", "-s", "key.sec"], in: fueki.folder.path))
            succeed(
                try minisign(["-S", "-H", "-s", "key.sec", "-m", "release.tar", "-t", "stable"], in: fueki.folder.path))
            let verdict: Verdict = try fueki.json("verify-file", "release.tar", "--key", "key.pub")
            #expect(verdict.verdict == "valid" && verdict.trusted_comment == "stable")
            let key = try fueki.folder.read("key.pub")
            #expect(key.contains("public key \(verdict.key_id)"))
        }
        succeed(try minisign(["-S", "-l", "-s", "key.sec", "-m", "release.tar"], in: fueki.folder.path))
        let legacy = try fueki.run("verify-file", "release.tar", "--key", "key.pub", "--json")
        #expect(legacy.status == 2 && legacy.errors.contains("legacy_signature"))
    }
}
