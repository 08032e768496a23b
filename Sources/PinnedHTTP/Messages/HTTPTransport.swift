/// The only access to the network. A port: ``PinnedClient`` is the usual implementation, tests have others.
public protocol HTTPTransport: Sendable {
    /// Sends a request and waits for the whole answer, whatever its status is.
    ///
    /// It follows no redirect, uses no proxy from the environment, keeps no cookies, and neither waits longer nor reads
    /// more than the request allows.
    func send(_ request: HTTPRequest) async throws(HTTPFailure) -> HTTPResponse
}
