public import AuditLog
public import PinnedHTTP

/// A witness on a server (C2SP tlog-witness): `fuekid` is one, and any other that follows the specification.
///
/// ```swift
/// let witness = HTTPWitness(at: origin, path: "/audit", key: key, over: client)
/// try await log.checkpoint(witnessedBy: witness)
/// ```
public struct HTTPWitness: WitnessLink {
    /// The reasons why a witness's address is refused.
    public enum Fault: Error, Equatable, Sendable {
        /// The path is not one of a URL.
        case path
        /// The address is not one of a server: `https://host/path`, without a user, a query or a fragment.
        case address
        /// The key is that of a log, and not a witness's: its kind is not `NoteKey.Kind.cosignature`.
        case keyOfLog
    }

    /// The time-out of an answer. A witness writes one file; meanwhile the log's owner waits.
    private static let timeout = Duration.seconds(5)

    /// The witness's public key, by which its cosignatures are verified.
    public let key: NoteKey
    private let origin: Origin
    private let path: String
    private let transport: any HTTPTransport

    /// Creates the connection. Nothing is sent yet.
    ///
    /// - Parameters:
    ///   - path: the prefix of the witness's paths, without a slash at its end; empty for none.
    ///   - key: the witness's public key, of kind `NoteKey.Kind.cosignature`.
    ///   - transport: the way to the server.
    /// - Throws: ``Fault/path``, ``Fault/keyOfLog``.
    public init(
        at origin: Origin, path: String, key: NoteKey, over transport: any HTTPTransport
    ) throws(Fault) {
        guard key.kind == .cosignature else { throw .keyOfLog }
        (self.key, self.origin, self.path, self.transport) = (key, origin, path + "/add-checkpoint", transport)
        guard HTTPRequest(.post, self.path, at: origin) != nil else { throw .path }
    }

    /// Creates the connection to an address. Nothing is sent yet.
    ///
    /// - Parameters:
    ///   - address: `https://witness.example/audit`.
    ///   - key: the witness's public key, of kind `NoteKey.Kind.cosignature`.
    ///   - transport: the way to the server.
    /// - Throws: ``Fault/address``, ``Fault/path``, ``Fault/keyOfLog``.
    public init(at address: String, key: NoteKey, over transport: any HTTPTransport) throws(Fault) {
        guard let colon = address.firstRange(of: "://"),
            let scheme = Origin.Scheme(rawValue: String(address[..<colon.lowerBound]))
        else { throw .address }
        let rest = address[colon.upperBound...]
        let end = rest.firstIndex(of: "/") ?? rest.endIndex
        guard !rest.contains(where: { "?#@".contains($0) }),
            let origin = Origin(scheme, authority: rest[..<end])
        else { throw .address }
        let path = String(rest[end...])
        try self.init(at: origin, path: path.hasSuffix("/") ? String(path.dropLast()) : path, key: key, over: transport)
    }

    /// Sends a request (`WitnessLink`). It may be sent again: a witness cosigns the same checkpoint as often as it is
    /// asked.
    ///
    /// - Throws: `HTTPFailure`, or `EncodingError` for an answer that is not one of the protocol.
    public func answer(to request: WitnessRequest) async throws -> Result<[SignedNote.Signature], WitnessRefusal> {
        guard
            let post = HTTPRequest(
                .post, path, at: origin, headers: [HTTPHeader("Content-Type", "application/octet-stream")],
                body: request.encoded, repetition: .allowed, limit: AuditLimits.note,
                timeout: Self.timeout)
        else { throw Fault.path }
        let response = try await transport.send(post)
        return try WitnessRequest.answer(status: response.status, body: response.body)
    }
}
