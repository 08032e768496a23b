import Secrets
import TestSupport
import Testing

@testable import Nodes

@Suite("Node URLs and their passwords")
struct AddressTests {
    @Test(
        "an address prints without its path and password, which often are keys",
        arguments: [
            ("http://127.0.0.1:8332", "http://127.0.0.1:8332"),
            ("HTTPS://Node.Example/v3/KEY?apikey=KEY", "https://node.example:443"),
            ("http://localhost", "http://localhost:80"),
            ("https://user:SECRET@[2001:db8::1]:8545/", "https://[2001:db8::1]:8545"),
        ])
    func shown(text: String, shown: String) throws {
        let address = try NodeAddress(text)
        #expect(address.description == shown)
        var dumped = ""
        dump(address, to: &dumped)
        #expect(!dumped.contains("SECRET"))
        #expect(!String(reflecting: address).contains("KEY"))
    }

    @Test(
        "an invalid address is refused, and the error names the mistake",
        arguments: [
            ("", .notAnAddress), ("http://a b", .notAnAddress), ("http://a\r\nHost: b", .notAnAddress),
            ("http://münchen.example", .notAnAddress), ("http://a\\@b", .notAnAddress),
            (String(repeating: "a", count: 3_000), .notAnAddress), ("127.0.0.1:8332", .scheme), ("ftp://a", .scheme),
            ("file:///etc/passwd", .scheme), ("http://", .host), ("http://:80", .host), ("http://.a", .host),
            ("http://a,b", .host), ("http://[::1", .host), ("http://[evil]", .host), ("http://[::1]x", .host),
            ("http://a:", .port), ("http://a:0", .port), ("http://a:65536", .port), ("http://a:-1", .port),
            ("http://a:+80", .port), ("http://a..b", .host), ("http://a-.b", .host),
            ("http://[1:2:3:4:5:6:7:8:9:10:11:12:13:14:15:16:17:18:19:20]", .host), ("http://a/#x", .path),
            ("http://a/b/../c", .path),
            ("https://user@a", .credentials),
            ("https://user:%0d%0a@a", .credentials), ("https://user:%zz@a", .credentials),
            ("https://user:%4@a", .credentials),
            ("http://user:password@node.example", .credentialsInTheClear),
            ("http://user:password@127.0.0.1.evil.example", .credentialsInTheClear),
            ("http://user:password@127.0.0", .host),
            ("http://user:password@onion.example", .credentialsInTheClear),
        ] as [(String, NodeAddress.Fault)])
    func refused(text: String, fault: NodeAddress.Fault) {
        #expect(throws: NodeError.badAddress(fault)) { try NodeAddress(text) }
    }

    @Test(
        "a password goes to this machine and to onion services without TLS, and elsewhere with TLS only",
        arguments: [
            "http://u:p@localhost", "http://u:p@127.9.9.9:1", "http://u:p@[::1]", "https://u:p@node.example",
            "http://u:p@abcdef.onion",
        ])
    func credentials(text: String) throws {
        _ = try NodeAddress(text)
    }

    @Test("a cookie file is one line with user and password; any other is refused without printing its contents")
    func cookie() async throws {
        let folder = try TemporaryFolder()
        let node = try FakeNode { _ in FakeNode.http("{}") }
        for text in ["__cookie__:c0ffee", "__cookie__:c0ffee\n"] {
            let credentials = try Credentials(cookieFile: try folder.write(text, to: "cookie"))
            #expect("\(credentials)" == "<redacted>")
            #expect(!String(reflecting: credentials).contains("c0ffee"))
            let address = try NodeAddress(node.url, credentials: credentials)
            let request = NodeRequest(method: .get, timeout: .seconds(Patience.seconds))
            _ = try await request.send(to: address, over: client(to: address))
            #expect(node.requests.last?.header("Authorization") == "Basic X19jb29raWVfXzpjMGZmZWU=")
        }
        let long = "a:" + String(repeating: "b", count: 2_000)
        for text in ["", "\n", "no colon", "a:b\nc:d", "a:b\r\n", long] {
            let path = try folder.write(text, to: "cookie")
            #expect(throws: NodeError.badCookie(.malformed)) { try Credentials(cookieFile: path) }
        }
        #expect(throws: NodeError.badCookie(.missing)) { try Credentials(cookieFile: folder.path + "/none") }
        #expect(throws: NodeError.badCookie(.missing)) { try Credentials(cookieFile: folder.path + "/cookie/none") }
        // A folder can be opened, but not read.
        #expect(throws: NodeError.badCookie(.unreadable)) { try Credentials(cookieFile: folder.path) }
        #expect(throws: NodeError.badAddress(.credentials)) {
            try NodeAddress(
                "http://u:p@localhost",
                credentials: try Credentials(cookie: SecretBytes(count: 3) { $0.copyBytes(from: Array("a:b".utf8)) }))
        }
        #expect(throws: NodeError.badAddress(.credentialsInTheClear)) {
            try NodeAddress(
                "http://node.example",
                credentials: try Credentials(cookie: SecretBytes(count: 3) { $0.copyBytes(from: Array("a:b".utf8)) }))
        }
    }
}
