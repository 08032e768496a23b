/// What a value contains: the cases of the enumerations in it, and its texts and bytes.
public struct ReflectedError: Sendable {
    /// A text or a sequence of bytes in a value.
    public struct Leaf: Hashable, Sendable {
        /// The type, the case and the label: `Custody.CustodyError.walletExists.name`.
        public let place: String
        /// The type of the leaf.
        public let type: String
        /// The text, or the bytes as text.
        public let text: String
        /// The bytes of the text.
        public let bytes: [UInt8]
    }

    /// The types that are read, beside texts and bytes.
    public struct Terms: Sendable {
        /// Types that are texts of their own: their description is the leaf.
        public let texts: Set<String>
        /// Types, and places, that are not read.
        public let closed: Set<String>

        /// Creates terms.
        public init(texts: Set<String>, closed: Set<String>) { (self.texts, self.closed) = (texts, closed) }
    }

    /// The cases that occur, by the names of their types.
    public private(set) var cases: [String: Set<String>] = [:]
    /// All types that occur.
    public private(set) var types: Set<String> = []
    /// The leaves.
    public private(set) var leaves: [Leaf] = []
    /// The places with an array or an optional that has a value.
    public private(set) var filled: Set<String> = []
    /// The places with an array or an optional without a value.
    public private(set) var empty: Set<String> = []
    private let terms: Terms

    /// Reads a value.
    public init(_ value: Any, _ terms: Terms) {
        self.terms = terms
        read(value, at: Self.name(of: value))
    }

    private mutating func read(_ value: Any, at place: String) {
        let type = Self.name(of: value)
        if terms.closed.contains(type) || terms.closed.contains(place) { return }
        let mirror = Mirror(reflecting: value)
        // A cast would look through an optional.
        if mirror.displayStyle == .optional {
            if mirror.children.isEmpty { empty.insert(place) } else { filled.insert(place) }
            for child in mirror.children { read(child.value, at: place) }
            return
        }
        if let text = value as? String { return add(place, type, text, Array(text.utf8)) }
        if let bytes = value as? [UInt8] { return add(place, type, String(decoding: bytes, as: UTF8.self), bytes) }
        if terms.texts.contains(type) {
            types.insert(type)
            let text = String(describing: value)
            return add(place, type, text, Array(text.utf8))
        }
        switch mirror.displayStyle {
        case .enum:
            types.insert(type)
            guard let name = Self.caseName(of: value) else { return }
            cases[type, default: []].insert(name)
            for child in mirror.children { read(child.value, at: "\(type).\(name)") }
        case .collection, .set:
            if mirror.children.isEmpty { empty.insert(place) } else { filled.insert(place) }
            for child in mirror.children { read(child.value, at: place) }
        case .tuple:
            for child in mirror.children {
                read(child.value, at: place + (child.label.map { $0.hasPrefix(".") ? $0 : ".\($0)" } ?? ""))
            }
        case .struct:
            types.insert(type)
            for child in mirror.children { read(child.value, at: "\(type).\(child.label ?? "")") }
        default:
            types.insert(type)
        }
    }

    private mutating func add(_ place: String, _ type: String, _ text: String, _ bytes: [UInt8]) {
        leaves.append(Leaf(place: place, type: type, text: text, bytes: bytes))
    }

    /// The full name of a value's type.
    public static func name(of value: Any) -> String { String(reflecting: Swift.type(of: value)) }

    /// The name of an enumeration's case, whatever its description says.
    public static func caseName(of value: Any) -> String? {
        func name<Value>(of value: Value) -> String? { enumCaseName(value).map { String(cString: $0) } }
        return _openExistential(value, do: name)
    }
}

/// The function of Swift's runtime behind `dump`. The public ways to a case's name give the description of a type that
/// has one.
@_silgen_name("swift_EnumCaseName")
private func enumCaseName<Value>(_ value: Value) -> UnsafePointer<CChar>?
