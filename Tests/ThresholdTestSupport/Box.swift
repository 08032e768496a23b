/// A box for noncopyable values, for arrays and dictionaries of them.
package final class Box<Value: ~Copyable> {
    private var value: Value?

    package init(_ value: consuming Value) { self.value = consume value }

    /// Takes the value, once.
    package func take() -> Value {
        guard let value = value.take() else { preconditionFailure("a value that was taken already") }
        return value
    }

    /// Borrows the value.
    package func borrow<Result, Failure: Error>(_ body: (borrowing Value) throws(Failure) -> Result) throws(Failure)
        -> Result
    {
        switch value {
        case .some(let value): return try body(value)
        case .none: preconditionFailure("a value that was taken already")
        }
    }
}
