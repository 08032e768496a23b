/// An operation that computes with secrets.
struct Operation {
    let name: String
    /// The number of branches on its verdict, which becomes public: whether a check passed.
    let verdicts: UInt32
    let run: () throws -> Void

    init(_ name: String, verdicts: UInt32 = 0, _ run: @escaping () throws -> Void) {
        self.name = name
        self.verdicts = verdicts
        self.run = run
    }
}

/// Consumes a result that the optimiser must not know.
@inline(never)
func use<Value: ~Copyable>(_ value: borrowing Value) {}
