internal import AuthAPI
package import Hummingbird

/// Refuses paths that are not canonical. The router treats `//healthz` and `/healthz/` as `/healthz`; a proxy that
/// filters paths may not.
package struct CanonicalPaths: RouterMiddleware {
    package typealias Context = ServerContext

    package init() {}

    package func handle(
        _ request: Request, context: ServerContext, next: (Request, ServerContext) async throws -> Response
    ) async throws -> Response {
        guard Self.isCanonical(request.uri.path) else { throw Problem(.notFound) }
        return try await next(request, context)
    }

    /// Returns whether a path is `/`, or consists of segments that are neither empty nor `.` or `..`, without
    /// percent-encoding. No path of this server contains a character that needs encoding.
    package static func isCanonical(_ path: String) -> Bool {
        if path == "/" { return true }
        guard path.utf8.first == UInt8(ascii: "/") else { return false }
        // State of the current segment: its length, and whether all its characters are dots so far.
        var (length, isDots) = (0, true)
        for byte in path.utf8.dropFirst() {
            switch byte {
            case UInt8(ascii: "%"): return false
            case UInt8(ascii: "/"):
                if isDots, length <= 2 { return false }
                (length, isDots) = (0, true)
            default:
                length += 1
                isDots = isDots && byte == UInt8(ascii: ".")
            }
        }
        return !isDots || length > 2
    }
}
