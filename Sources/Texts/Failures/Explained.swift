/// An error of a library that can be explained to the person at the terminal.
package protocol Explained: Error {
    var failure: Failure { get }
}

extension Failure: Explained {
    /// The failure itself: it already has a message.
    package var failure: Failure { self }
}

/// Runs a closure, and explains its error as a failure.
package func attempt<Value: ~Copyable, Problem: Explained>(
    _ body: () throws(Problem) -> Value
) throws(Failure) -> Value {
    do { return try body() } catch { throw error.failure }
}

/// Runs a closure that uses a file, and explains its error as a failure with the file's name.
package func attempt<Value, Problem: Explained>(
    on path: String, _ body: () throws(Problem) -> Value
) throws(Failure) -> Value {
    do {
        return try body()
    } catch {
        let failure = error.failure
        throw Failure(
            code: failure.code, name: failure.name, message: "\(path): \(failure.message)", hint: failure.hint)
    }
}

/// Runs a closure, and explains its error as a failure.
package func attempt<Value: ~Copyable, Problem: Explained>(
    _ body: () async throws(Problem) -> Value
) async throws(Failure) -> Value {
    do { return try await body() } catch { throw error.failure }
}
