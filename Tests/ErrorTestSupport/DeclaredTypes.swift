internal import Foundation

/// The enumerations and errors that the sources of some targets declare, found by reading the files.
///
/// Names begin with the target: `Nodes.NodeError.Refusal`.
public struct DeclaredTypes: Sendable {
    /// The cases of each enumeration.
    public private(set) var cases: [String: [String]] = [:]
    /// The names of all types.
    public private(set) var names: Set<String> = []
    private var conforming: Set<String> = []
    private var accessible: Set<String> = []

    /// The types that conform to `Error` and that another target can see.
    public var errors: Set<String> { conforming.intersection(accessible) }

    /// Reads the sources of these targets.
    public init(targets: [String]) throws {
        let sources = URL(fileURLWithPath: #filePath).appendingPathComponent("../../../Sources").standardized
        for target in targets {
            let folder = sources.appendingPathComponent(target)
            let files = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)
            while let file = files?.nextObject() as? URL {
                guard file.pathExtension == "swift" else { continue }
                read(SourceTokens([UInt8](try Data(contentsOf: file))).all, of: target)
            }
        }
    }

    /// The targets in the folder of the sources whose names are not among these, without those of C.
    public static func targets(without excluded: Set<String>) throws -> [String] {
        let sources = URL(fileURLWithPath: #filePath).appendingPathComponent("../../../Sources").standardized
        return try FileManager.default.contentsOfDirectory(atPath: sources.path).filter { name in
            !excluded.contains(name) && !(name.hasPrefix("C") && name.dropFirst().first?.isUppercase == true)
        }.sorted()
    }

    /// A pair of braces, and the type that it belongs to.
    private struct Scope {
        /// The full name; nil in braces that are not of a type.
        let name: String?
        let isEnumeration: Bool
    }

    private mutating func read(_ tokens: [String], of target: String) {
        var scopes: [Scope] = []
        var pending: [String] = []
        for token in tokens {
            guard token == "{" || token == "}" else {
                pending.append(token)
                continue
            }
            if let scope = scopes.last, scope.isEnumeration, let name = scope.name {
                cases[name, default: []] += Self.cases(in: pending)
            }
            if token == "}" {
                _ = scopes.popLast()
            } else {
                let isInType = scopes.allSatisfy { $0.name != nil }
                scopes.append(scope(of: pending, in: isInType ? scopes.last?.name ?? target : nil, target))
            }
            pending = []
        }
    }

    private static let kinds: Set<String> = ["enum", "struct", "class", "actor", "extension", "protocol"]
    private static let modifiers: Set<String> = ["public", "package", "indirect", "final", "open"]
    /// The protocols that stand for `Error`.
    private static let errorProtocols: Set<String> = ["Error", "LocalizedError", "ProblemConvertible"]

    /// Reads the declaration before a brace.
    ///
    /// - Parameter outer: the type around it, or the target; nil inside a function, where types are not recorded.
    private mutating func scope(of pending: [String], in outer: String?, _ target: String) -> Scope {
        let other = Scope(name: nil, isEnumeration: false)
        guard let outer,
            let keyword = pending.indices.last(where: { index in
                Self.kinds.contains(pending[index]) && index + 1 < pending.count
                    && pending[index + 1].first?.isUppercase == true
                    && (index == 0 || ![".", ":", "("].contains(pending[index - 1]))
            })
        else { return other }
        // A function or a variable after the last declaration begins a scope of its own.
        let rest = pending[(keyword + 1)...]
        guard !rest.contains(where: { ["func", "var", "let", "init", "case", "static", "subscript"].contains($0) })
        else { return other }
        var name = pending[keyword + 1]
        var index = keyword + 2
        while index + 1 < pending.count, pending[index] == "." {
            name += ".\(pending[index + 1])"
            index += 2
        }
        let full = "\(outer).\(name)"
        if let colon = rest.firstIndex(of: ":") {
            let inherited = pending.indices[(colon + 1)...].filter { pending[$0 - 1] == ":" || pending[$0 - 1] == "," }
            if inherited.contains(where: { Self.errorProtocols.contains(pending[$0]) }),
                pending[keyword] != "protocol"
            {
                conforming.insert(full)
            }
        }
        let before = pending[..<keyword].reversed().prefix { Self.modifiers.contains($0) }
        if before.contains("public") || before.contains("package") { accessible.insert(full) }
        if pending[keyword] != "extension" { names.insert(full) }
        let isEnumeration = pending[keyword] == "enum"
        if isEnumeration { cases[full, default: []] += [] }
        return Scope(name: full, isEnumeration: isEnumeration)
    }

    /// The names of the cases in the tokens of an enumeration's body.
    private static func cases(in tokens: [String]) -> [String] {
        var found: [String] = []
        var index = 0
        while index < tokens.count {
            guard tokens[index] == "case" else {
                index += 1
                continue
            }
            repeat {
                index += 1
                guard index < tokens.count else { return found }
                found.append(tokens[index])
                index += 1
                index = end(ofPayload: tokens, from: index)
                if index + 1 < tokens.count, tokens[index] == "=" { index += 2 }
            } while index < tokens.count && tokens[index] == ","
        }
        return found
    }

    private static func end(ofPayload tokens: [String], from start: Int) -> Int {
        guard start < tokens.count, tokens[start] == "(" else { return start }
        var depth = 0
        for index in start..<tokens.count {
            if tokens[index] == "(" { depth += 1 }
            if tokens[index] == ")" { depth -= 1 }
            if depth == 0 { return index + 1 }
        }
        return tokens.count
    }
}
