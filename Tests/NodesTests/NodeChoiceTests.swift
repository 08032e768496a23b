import Testing

@testable import Nodes

@Suite("Which node is asked, and which cookie it gets")
struct NodeChoiceTests {
    private static let core = LocalBitcoinCore(address: "http://127.0.0.1:8332", cookieFile: "/home/a/.bitcoin/.cookie")

    @Test("without an address Bitcoin Core on this machine is asked, with its own cookie")
    func local() throws {
        let choice = try #require(try NodeChoice(bitcoin: nil, cookieFile: nil, usual: nil, core: Self.core))
        #expect(choice.url == Self.core.address)
        #expect(choice.cookieFile == Self.core.cookieFile)
        #expect(try NodeChoice(bitcoin: nil, cookieFile: "/named", usual: "/set", core: nil) == nil)
    }

    @Test(
        "a cookie that was not named with the node goes to no node but one on this machine without a password",
        arguments: [
            "https://node.example:8332", "http://10.0.0.1:8332", "http://user:password@127.0.0.1:8332",
            "https://127.0.0.1.example:8332",
        ])
    func strangers(url: String) throws {
        let set = try #require(try NodeChoice(bitcoin: url, cookieFile: nil, usual: "/set", core: Self.core))
        #expect(set.cookieFile == nil)
        let found = try #require(try NodeChoice(bitcoin: url, cookieFile: nil, usual: nil, core: Self.core))
        #expect(found.cookieFile == nil)
    }

    @Test("the cookie of the usual folder goes only to the usual port")
    func port() throws {
        let usual = try #require(
            try NodeChoice(bitcoin: "http://localhost:8332", cookieFile: nil, usual: nil, core: Self.core))
        #expect(usual.cookieFile == Self.core.cookieFile)
        let other = try #require(
            try NodeChoice(bitcoin: "http://localhost:18443", cookieFile: nil, usual: nil, core: Self.core))
        #expect(other.cookieFile == nil)
    }

    @Test(
        "a cookie that is named with the node precedes that of the settings, and this precedes the one that was found")
    func precedence() throws {
        func cookie(_ named: String?, _ usual: String?, url: String? = "http://127.0.0.1:8332") throws -> String? {
            try NodeChoice(bitcoin: url, cookieFile: named, usual: usual, core: Self.core)?.cookieFile
        }
        #expect(try cookie("/named", "/set") == "/named")
        #expect(try cookie(nil, "/set") == "/set")
        #expect(try cookie(nil, nil) == Self.core.cookieFile)
        #expect(try cookie("/named", "/set", url: nil) == "/named")
        #expect(try cookie(nil, "/set", url: nil) == "/set")
    }

    @Test("a node of another kind gets only the cookie that was named with it")
    func other() {
        #expect(NodeChoice(other: "http://127.0.0.1:8332", cookieFile: nil).cookieFile == nil)
        #expect(NodeChoice(other: "https://node.example", cookieFile: "/named").cookieFile == "/named")
    }

    @Test("the name of a node has neither its user nor its path")
    func name() {
        let choice = NodeChoice(other: "https://user:secret@node.example/v3/key", cookieFile: nil)
        #expect(choice.name?.contains("node.example") == true)
        #expect(choice.name?.contains("secret") == false && choice.name?.contains("key") == false)
        #expect(NodeChoice(other: "no address", cookieFile: nil).name == nil)
    }
}
