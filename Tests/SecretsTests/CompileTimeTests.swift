internal import TestSupport
internal import Testing

/// Forbidden uses of a secret are tested by compiling them, beside an allowed control.
@Suite("Secrets: what the compiler refuses", .enabled(if: Compiler.modules != nil, "the built modules were not found"))
struct CompileTimeTests {
    /// Each takes `one` and `two`, both `borrowing SecretBytes`, and does something forbidden.
    private static let attacks = [
        ("copying", "func copy<Value: Copyable>(_ type: Value.Type) {}; copy(SecretBytes.self)"),
        ("taking what is borrowed", "let taken = one; _ = consume taken"),
        ("comparing with ==", "_ = one == two"),
        ("hashing", "func hash(_ value: some Hashable & ~Copyable) {}; hash(one)"),
        ("encoding", "func encode(_ value: some Encodable & ~Copyable) {}; encode(one)"),
        ("decoding", "func decode<Value: Decodable & ~Copyable>(_ type: Value.Type) {}; decode(SecretBytes.self)"),
        ("printing", "print(one)"),
        ("describing", "_ = String(describing: one)"),
        ("reflecting", "_ = Mirror(reflecting: one)"),
        ("dumping", "dump(one)"),
        ("boxing", "let box: Any = one; _ = box"),
        ("collecting", "let list = [one]; _ = list"),
        ("capturing for later", "let late: () -> Int = { one.count }; _ = late"),
        ("writing into it", "one.withUnsafeBytes { $0[0] = 1 }"),
        ("reaching the memory", "_ = one.item"),
    ]

    @Test("control: borrowing, cloning, comparing in constant time, consuming once")
    func control() throws {
        let errors = try Compiler.errors(
            in: """
                func allowed(_ one: borrowing SecretBytes, _ two: borrowing SecretBytes) -> Bool {
                    let clone = one.clone()
                    func consume(_ secret: consuming SecretBytes) {}
                    consume(clone)
                    return one.matches(two) && one.withUnsafeBytes { $0.count } == two.count && "\\(one)" != "\\(two)"
                }
                """, importing: ["Secrets"])
        #expect(errors == nil)
    }

    @Test("copying, comparing with ==, hashing, coding, printing, boxing and writing do not compile")
    func attacks() throws {
        // One after the other in one file: errors of one function do not hide those of another.
        let functions = Self.attacks.enumerated().map { number, attack in
            "func attack\(number)(_ one: borrowing SecretBytes, _ two: borrowing SecretBytes) { \(attack.1) }"
        }
        var compiling = Set(Self.attacks.map(\.0))
        // Errors of type checking hide those of ownership, which come later: first all are compiled, then the rest.
        for _ in 0..<2 {
            let left = Self.attacks.enumerated().filter { compiling.contains($0.element.0) }
            let source = left.map { functions[$0.offset] }.joined(separator: "\n")
            let errors = try Compiler.errors(in: source, importing: ["Secrets"]) ?? ""
            for match in errors.matches(of: /attack\.swift:(\d+):\d+: error:/) {
                // The first line is the import.
                let line = try #require(Int(match.1)) - 2
                compiling.remove(left[line].element.0)
            }
        }
        #expect(compiling.isEmpty)
    }

    @Test("a consumed secret cannot be used again")
    func consumed() throws {
        let errors = try Compiler.errors(
            in: """
                func consume(_ secret: consuming SecretBytes) {}
                func attack(_ secret: consuming SecretBytes) { consume(secret); consume(secret) }
                """, importing: ["Secrets"])
        #expect(errors?.contains("consumed more than once") == true, "\(errors ?? "it compiles")")
    }
}
