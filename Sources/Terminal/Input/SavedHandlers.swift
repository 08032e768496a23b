#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#elseif canImport(Darwin)
    internal import Darwin
#endif

/// The saved handlers of some signals, to be restored later.
///
/// They are kept in the form of `sigaction`. As a function, `SIG_IGN` is an invalid pointer: Swift treats an optional
/// tuple that contains it as nil, so that a loop over such tuples ends at an ignored signal, as under `nohup` or after
/// `&` in a script.
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
        // On every platform the handler is the first member.
        saved.filter { withUnsafeBytes(of: $0.action) { $0.load(as: UInt.self) } == 1 }.map(\.number)
    }

    /// Restores the handlers.
    package func restore() {
        for var handler in saved { sigaction(handler.number, &handler.action, nil) }
    }
}
