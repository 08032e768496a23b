internal import Encoding
internal import SecretStoreTestSupport
internal import Secrets
internal import TestSupport
internal import Testing

@testable internal import SecureStorage

@Suite("Items")
struct ItemTests {
    @Test("a name is 1...255 printable ASCII characters in each part")
    func names() throws {
        _ = try ItemName(service: "!", account: String(repeating: "~", count: 255))
        for bad in ["", " ", "a b", "é", "a\n", "\u{7f}", String(repeating: "a", count: 256)] {
            #expect(throws: SecureStorageError.outsideLimits(.name)) { try ItemName(service: bad, account: "a") }
            #expect(throws: SecureStorageError.outsideLimits(.name)) { try ItemName(service: "a", account: bad) }
        }
    }

    @Test("critical data must not be kept where a backup can take them")
    func classes() throws {
        for level in [Accessibility.whenUnlocked, .afterFirstUnlock] {
            #expect(throws: SecureStorageError.notHonoured(level)) {
                try ItemAttributes(kind: .seed, dataClass: .critical, accessibility: level)
            }
            _ = try ItemAttributes(kind: .other, dataClass: .sensitive, accessibility: level)
        }
        #expect(ItemAttributes.critical(.seed).accessibility == .afterFirstUnlockThisDeviceOnly)
    }

    @Test("attributes survive encoding in four bytes, and unknown values and versions are refused")
    func envelope() throws {
        for kind in ItemKind.allCases {
            for dataClass in DataClass.allCases {
                for level in Accessibility.allCases where dataClass.allows(level) {
                    let attributes = try ItemAttributes(kind: kind, dataClass: dataClass, accessibility: level)
                    var reader = try ByteReader(attributes.encoded, limit: 4)
                    #expect(try ItemAttributes(from: &reader) == attributes)
                }
            }
        }
        for bad: [UInt8] in [
            [2, 0, 2, 4], [1, 7, 2, 4], [1, 0, 0, 4], [1, 0, 5, 4], [1, 0, 2, 0], [1, 0, 2, 6], [1, 2, 1, 5],
        ] {
            var reader = try ByteReader(bad, limit: 4)
            #expect(throws: EncodingError.unsupported) { try ItemAttributes(from: &reader) }
        }
    }

    @Test("a token list keeps its order, and malformed bytes are refused")
    func tokens() throws {
        var list = TokenList()
        for number in 0..<5 { list = try list.appending(secret("token \(number)")) }
        let count = list.count
        #expect(count == 5)
        #expect(text(list.token(at: 3)) == "token 3")
        #expect(text(list.token(at: 5)) == nil)
        #expect(text(list.token(at: -1)) == nil)
        for bad: [UInt8] in [[], [2], [1, 0], [1, 0, 0], [1, 0, 1], [1, 0, 2, 9], [1, 0, 1, 9, 0]] {
            var copy = bad
            let encoded = SecretBytes(moving: &copy)
            let refused = (try? TokenList(decoding: encoded)) == nil
            #expect(refused)
        }
    }

    @Test("errors read as sentences")
    func errors() {
        #expect("\(SecureStorageError.rolledBack(found: 3, expected: 7))".contains("generation 7"))
        #expect("\(SecureStorageError.lockedByAnother(processID: 42))" == "The vault is in use by process 42.")
    }
}
