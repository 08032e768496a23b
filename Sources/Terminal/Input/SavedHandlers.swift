#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#elseif canImport(Darwin)
    internal import Darwin
#endif

/// The handlers of some signals, to put them back.
///
/// They are kept as `sigaction` has them. As a function, `SIG_IGN` is a pointer that is none: Swift takes an optional tuple that
/// holds it for nil, so that a loop over such tuples ends at a signal that is ignored, as under `nohup` or behind `&` in a script.
package struct SavedHandlers {
    private let saved: [(number: Int32, action: sigaction)]

    package init(of numbers: [Int32]) {
        saved = numbers.map { number in
            var action = sigaction()
            sigaction(number, nil, &action)
            return (number, action)
        }
    }

    /// The signals that were ignored.
    package var ignored: [Int32] {
        // The handler is the first member everywhere.
        saved.filter { withUnsafeBytes(of: $0.action) { $0.load(as: UInt.self) } == 1 }.map(\.number)
    }

    /// Puts the handlers back.
    package func restore() {
        for var handler in saved { sigaction(handler.number, &handler.action, nil) }
    }
}
