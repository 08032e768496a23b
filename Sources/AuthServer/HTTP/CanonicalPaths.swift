internal import AuthAPI
internal import Hummingbird

/// Refuses paths that are not canonical. The router takes `//healthz` and `/healthz/` for `/healthz`; a proxy that filters paths
/// may not.
struct CanonicalPaths: RouterMiddleware {
    typealias Context = AuthContext

    func handle(
        _ request: Request, context: AuthContext, next: (Request, AuthContext) async throws -> Response
    ) async throws -> Response {
        guard Self.isCanonical(request.uri.path) else { throw Problem(.notFound) }
        return try await next(request, context)
    }

    /// Returns whether a path is `/`, or consists of segments that are neither empty nor `.` or `..`, without percent-encoding. No
    /// path of this server needs a character that has to be encoded.
    static func isCanonical(_ path: String) -> Bool {
        if path == "/" { return true }
        let segments = path.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        guard segments.first?.isEmpty == true, !path.utf8.contains(UInt8(ascii: "%")) else { return false }
        return segments.dropFirst().allSatisfy { segment in
            !segment.isEmpty && !segment.elementsEqual(".".utf8) && !segment.elementsEqual("..".utf8)
        }
    }
}
