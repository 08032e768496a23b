/// An error of a library, put into words for the person at the terminal.
package protocol Explained: Error {
    var failure: Failure { get }
}

extension Failure: Explained {
    /// It is in words already.
    package var failure: Failure { self }
}

/// Runs what may fail, and explains the failure.
package func attempt<Value: ~Copyable, Problem: Explained>(
    _ body: () throws(Problem) -> Value
) throws(Failure) -> Value {
    do { return try body() } catch { throw error.failure }
}

/// Runs what may fail because of a file, and explains the failure with the file's name.
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

/// Runs what may fail, and explains the failure.
package func attempt<Value: ~Copyable, Problem: Explained>(
    _ body: () async throws(Problem) -> Value
) async throws(Failure) -> Value {
    do { return try await body() } catch { throw error.failure }
}
