/// The options on the command line.
struct Options {
    static let usage = "usage: WalletBench [--rounds NUMBER] [--only NAME]; NUMBER is at least 1"

    private(set) var rounds = 300
    /// The first characters of the names of the operations to measure.
    private var only = ""

    /// Reads the arguments; nil for an unknown option, an option without its value, and fewer rounds than one.
    init?(_ arguments: [String]) {
        var rest = arguments[...]
        while let name = rest.popFirst() {
            guard let value = rest.popFirst() else { return nil }
            switch name {
            case "--rounds":
                guard let number = Int(value), number > 0 else { return nil }
                rounds = number
            case "--only": only = value
            default: return nil
            }
        }
    }

    func select(_ operation: String) -> Bool { operation.hasPrefix(only) }
}
