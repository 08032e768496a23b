internal import Foundation
import TestSupport
import Testing

/// Requests over TLS to an exchange in Python: OpenSSL makes the certificates, and Python's TLS ends the connection.
@Suite("An exchange over TLS with pins", .enabled(if: Peer.python.isExpected, Comment(rawValue: Peer.python.absence)))
struct ExchangeConnectionTests {
    private static let key = "8wYlDpWL9mFQ/XkWqvA+E3mYlTb/KZrVnF4uJZt0aOqTqk+S1hGgB7mP"
    private static let secret =
        "kQH5HW/8p1uGOVjbgWA7FunAmGO8lsSUXNsu3eow76sz84Q18fWxnyRzBHCd3pd5nE9qa99HAZtuZuj6F1huXg=="
    private static let spare = "sha256/" + String(repeating: "A", count: 43) + "="

    @Test("a pinned key is asked; with another one, or an authority that is not trusted, no byte of a request leaves")
    func pins() throws {
        let binance = String(repeating: "b", count: 64)
        let peer = try PeerExchange(
            credentials: [binance, binance, String(repeating: "0", count: 64), Self.key, Self.secret])
        let authority = try CertificateAuthority()
        let root = try authority.root("Root")
        let leaf = try authority.server(["DNS:localhost"], by: root)
        let stranger = try authority.root("Stranger")
        let relay = try TLSRelay(to: peer.port, authority, chain: [leaf])
        let fueki = try FuekiCommand()
        for (name, text) in [("passphrase", "correct horse"), ("key", Self.key), ("secret", Self.secret)] {
            try fueki.folder.write(text + "\n", to: name)
        }
        try fueki.folder.write(root.pem, to: "root.pem")
        let added = try fueki.run(
            "exchange", "add", "main", "--exchange", "kraken", "--key-file", "key", "--secret-file", "secret",
            "--passphrase-file", "passphrase")
        #expect(added.isSuccess, "\(added.errors)")
        func check(_ options: String...) throws -> Program.Outcome {
            try fueki.run(
                ["exchange", "check", "main", "--endpoint", "https://localhost:\(relay.port)"] + options
                    + ["--passphrase-file", "passphrase"])
        }
        let wrong = try check("--ca", "root.pem", "--pin", stranger.pin, "--pin", Self.spare)
        #expect(wrong.status == 69 && wrong.errors.contains("none of the server's keys is pinned"), "\(wrong.errors)")
        let untrusted = try check()
        #expect(untrusted.status == 69 && untrusted.errors.contains("is not trusted"), "\(untrusted.errors)")
        #expect(try relay.application.isEmpty)
        for pin in [leaf.pin, root.pin] {
            let right = try check("--ca", "root.pem", "--pin", pin, "--pin", Self.spare)
            #expect(right.isSuccess, "\(right.errors)")
        }
        #expect(try relay.application.contains("GetApiKeyInfo"))
    }
}
