internal import Amounts
internal import DisplayText
internal import Encoding

/// A value of a policy file, with its place.
struct PolicyNode {
    let value: JSON
    let place: String

    init(_ value: JSON, at place: String) {
        self.value = value
        self.place = place
    }

    /// Returns the members of an object, which has all required ones, and no others than the optional ones.
    func members(required: Set<String>, optional: Set<String>) throws(PolicyFault) -> [String: PolicyNode] {
        var members: [String: PolicyNode] = [:]
        for (name, node) in try named() {
            guard required.contains(name) || optional.contains(name) else {
                throw PolicyFault(node.place, "this name is unknown here")
            }
            members[name] = node
        }
        if let missing = required.subtracting(members.keys).min() {
            throw PolicyFault(place, "'\(missing)' is missing")
        }
        return members
    }

    /// Returns the members of an object with any names, in their order.
    func named() throws(PolicyFault) -> [(name: String, node: PolicyNode)] {
        guard let object = value.object else { throw PolicyFault(place, "it has to be an object") }
        return object.members.map {
            // The name is shown as part of the place, and may contain any characters.
            let name = SanitizedText($0.name, limit: WalletLimits.policyNameCharacters, lines: .one).text
            return ($0.name, PolicyNode($0.value, at: place.isEmpty ? name : "\(place).\(name)"))
        }
    }

    func elements() throws(PolicyFault) -> [PolicyNode] {
        guard let array = value.array else { throw PolicyFault(place, "it has to be a list") }
        return array.enumerated().map { PolicyNode($1, at: "\(place)[\($0)]") }
    }

    /// Returns the elements of a list, or the single value in its place. An empty list is a mistake, because nothing
    /// would ever match.
    func each<Value>(_ read: (PolicyNode) throws(PolicyFault) -> Value) throws(PolicyFault) -> [Value] {
        guard value.array != nil else { return [try read(self)] }
        var values: [Value] = []
        for element in try elements() { values.append(try read(element)) }
        guard !values.isEmpty else { throw PolicyFault(place, "it is empty") }
        return values
    }

    func string() throws(PolicyFault) -> String {
        guard let string = value.string else { throw PolicyFault(place, "it has to be a text") }
        return string
    }

    /// Returns whether a text is suitable as a name in decisions: short, and shown as it is.
    static func isName(_ text: String) -> Bool {
        let shown = SanitizedText(text, limit: WalletLimits.policyNameCharacters, lines: .one)
        return !text.isEmpty && shown.oddities.isEmpty && shown.text.utf8.elementsEqual(text.utf8)
    }

    func strings() throws(PolicyFault) -> [String] { try each { (node) throws(PolicyFault) in try node.string() } }

    func bool() throws(PolicyFault) -> Bool {
        guard let bool = value.bool else { throw PolicyFault(place, "it has to be true or false") }
        return bool
    }

    /// Reads a whole number, 0 to 255.
    func count() throws(PolicyFault) -> Int {
        guard let count = value.number?.integer(as: UInt8.self) else {
            throw PolicyFault(place, "it has to be a small whole number")
        }
        return Int(count)
    }

    /// Reads a duration: `90s`, `15m`, `24h` or `7d`.
    func seconds() throws(PolicyFault) -> UInt64 {
        let text = try string()
        let units: [Character: UInt64] = ["s": 1, "m": 60, "h": 3_600, "d": 86_400]
        guard let unit = text.last.flatMap({ units[$0] }), let number = try? UInt256(decimal: String(text.dropLast())),
            let count = number.uint64, (1...100_000).contains(count)
        else { throw PolicyFault(place, "it has to be a time like 90s, 15m, 24h or 7d") }
        return count * unit
    }
}
