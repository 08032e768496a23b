import Curves
internal import DisplayText
import Encoding
import EthereumTestSupport
import TestSupport
import Testing

@testable import Ethereum

@Suite("Typed data as shown")
struct TypedDataLinesTests {
    private func data(_ document: String) throws -> TypedData { try TypedData(decoding: Array(document.utf8)) }

    @Test("every member of the message and of the domain is a line, with its signed value")
    func lines() throws {
        let rows = try data(KnownTypedData.everything).lines.map { String(repeating: " ", count: $0.depth) + $0.text }
        func address(_ byte: UInt8) -> EthereumAddress { .repeating(byte) }
        #expect(
            rows == [
                "Order:", " price: 123456789", " change: -77", " open: true", " maker: \(address(0xB2))",
                " key: 0xc3c3c3c3",
                " blob: 0xd4d4d4d4d4d4", " terms: 'all of it'", " items: a list of 2", "  0:",
                "   token: \(address(0xE5))", "   label: 'first'", "  1:", "   token: \(address(0xF6))",
                "   label: 'second'",
                " table: a list of 3", "  0: a list of 2", "   0: 201", "   1: 202", "  1: a list of 0",
                "  2: a list of 1",
                "   0: 203", " none: a list of 0", "meant for:", " name: 'A market'", " version: 'v7'",
                " chainId: 31337",
                " verifyingContract: \(address(0xA1))", " salt: 0x\(String(repeating: "5a", count: 32))",
            ])
    }

    @Test("programs get the same lines, with text as it is signed")
    func json() throws {
        let json = try data(KnownTypedData.everything.replacing("all of it", with: #"a\u202eb"#)).json
        #expect(json["primary_type"] == "Order")
        #expect(json["domain"]?["salt"]?.string == "0x" + String(repeating: "5a", count: 32))
        #expect(json["domain"]?["chainId"] == "31337")
        let message = try #require(json["message"])
        #expect(message["price"] == "123456789" && message["change"] == "-77" && message["open"]?.bool == true)
        #expect(message["terms"] == "a\u{202E}b" && message["none"] == [])
        #expect(message["items"]?.array?[1]["label"] == "second")
        #expect(message["table"] == [["201", "202"], [], ["203"]])
        #expect(message.object?.names.count == 10 && json["domain"]?.object?.names.count == 5)
    }
}
