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
        let peer = try PeerExchange(krakenKey: Self.key, secret: Self.secret)
        let authority = try CertificateAuthority()
        let root = try authority.root("Root")
        let leaf = try authority.server(["DNS:localhost"], by: root)
        let stranger = try authority.root("Stranger")
        let relay = try TLSRelay(to: peer.port, authority, chain: [leaf])
        let fueki = try Self.made(root)
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

    @Test(
        "pins and proxy of the settings are for the exchange's own server, an option comes before them, and its rights are noted"
    )
    func settings() throws {
        let peer = try PeerExchange(krakenKey: Self.key, secret: Self.secret)
        let authority = try CertificateAuthority()
        let root = try authority.root("Root")
        let leaf = try authority.server(["DNS:api.kraken.com", "DNS:localhost"], by: root)
        let relay = try TLSRelay(to: peer.port, authority, chain: [leaf])
        // The proxy leads every name to the relay.
        let proxy = try SOCKSServer(to: relay.port)
        let fueki = try Self.made(root)
        func check(_ options: String...) throws -> Program.Outcome {
            try fueki.run(
                ["exchange", "check", "main", "--ca", "root.pem"] + options + ["--passphrase-file", "passphrase"])
        }
        func set(_ name: String, _ value: String) throws {
            #expect(try fueki.run("config", "set", name, value).isSuccess)
        }
        try set("exchange-proxy.kraken", "socks5://127.0.0.1:\(proxy.port)")
        try set("exchange-pin.kraken", "\(authority.root("Stranger").pin) \(Self.spare)")
        let wrong = try check()
        #expect(wrong.status == 69 && wrong.errors.contains("none of the server's keys is pinned"), "\(wrong.errors)")
        #expect(try relay.application.isEmpty)
        let test = try check("--endpoint", "https://localhost:\(relay.port)")
        #expect(test.isSuccess, "\(test.errors)")
        #expect(
            try fueki.run("exchange", "list", "--passphrase-file", "passphrase").output.contains(
                "not used  not checked"))
        let none = try check("--pin", "none")
        #expect(none.isSuccess, "\(none.errors)")
        try set("exchange-pin.kraken", "\(leaf.pin),\(Self.spare)")
        let right = try check()
        #expect(right.isSuccess, "\(right.errors)")
        #expect(try fueki.run("exchange", "list", "--passphrase-file", "passphrase").output.contains("read, trade"))
    }

    /// A command with the key `main` and the certificate of an authority.
    private static func made(_ root: CertificateAuthority.Issued) throws -> FuekiCommand {
        let fueki = try FuekiCommand()
        for (name, text) in [("passphrase", "correct horse"), ("key", key), ("secret", secret)] {
            try fueki.folder.write(text + "\n", to: name)
        }
        try fueki.folder.write(root.pem, to: "root.pem")
        let added = try fueki.run(
            "exchange", "add", "main", "--exchange", "kraken", "--key-file", "key", "--secret-file", "secret",
            "--passphrase-file", "passphrase")
        #expect(added.isSuccess, "\(added.errors)")
        return fueki
    }
}
