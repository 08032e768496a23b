internal import AuditLog
internal import AuthAPI
internal import HTTPTypes
internal import Hummingbird
internal import NIOCore
internal import ServerAudit
internal import ServerHTTP
internal import Time

/// The routes of the audit log's public part, and of the witness (C2SP tlog-witness). They are for everyone, as their
/// specifications demand, so each network has a limit.
struct AuditRoutes: Sendable {
    let published: PublishedCheckpoint?
    let witnessing: LogWitnessing?
    let networks = NetworkLimits()
    let clock: @Sendable () -> Timestamp

    func add(to router: Router<ServerContext>) {
        router.get("/audit/checkpoint") { _, context in
            try admit(context)
            guard let note = published?.current else { throw Problem(.notFound) }
            return Self.text(String(decoding: note.encoded, as: UTF8.self), cachedSeconds: 60)
        }
        router.get("/audit/witness-key") { _, context in
            try admit(context)
            guard let witnessing else { throw Problem(.notFound) }
            return Self.text("\(witnessing.key.text)\n", cachedSeconds: 3600)
        }
        router.post("/audit/add-checkpoint") { request, context in
            try admit(context)
            guard let witnessing else { throw Problem(.notFound) }
            let body = try await request.bytes(limit: AuditLimits.witnessRequest)
            return switch try await witnessing.answer(to: body) {
            case .success(let line): Response.text(line)
            case .failure(let refusal): Self.answer(refusal)
            }
        }
    }

    private func admit(_ context: ServerContext) throws(Problem) {
        if let problem = networks.take(try context.address, device: nil, of: Limits.auditRequests, at: clock()) {
            throw problem
        }
    }

    private static func text(_ text: String, cachedSeconds seconds: Int) -> Response {
        Response(
            status: .ok,
            headers: [.contentType: "text/plain; charset=utf-8", .cacheControl: "public, max-age=\(seconds)"],
            body: ResponseBody(byteBuffer: ByteBuffer(string: text)))
    }

    /// Returns the answer that the specification demands. The size of 409 is a decimal number and a line ending.
    private static func answer(_ refusal: WitnessRefusal) -> Response {
        let status = HTTPResponse.Status(code: refusal.status)
        switch refusal {
        case .otherSize(let size), .otherRoot(let size):
            var response = Response.text("\(size)\n", status: status)
            response.headers[.contentType] = "text/x.tlog.size"
            return response
        case .malformed: return Response.text("the request is not well formed\n", status: status)
        case .notSigned: return Response.text("no known key has signed the checkpoint\n", status: status)
        case .unknownLog: return Response.text("the log is not known here\n", status: status)
        case .inconsistent:
            return Response.text("the checkpoint does not continue the last one\n", status: status)
        case .notStored: return Response.text("the checkpoint could not be stored\n", status: status)
        }
    }
}
