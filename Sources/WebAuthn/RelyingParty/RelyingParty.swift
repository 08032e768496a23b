public import Encoding

/// The relying party: its identifier, and the pages that may request credentials in its name.
///
/// ```swift
/// let shop = try RelyingParty(
///     id: RelyingPartyID("example.org"), name: "Example", origins: [Origin("https://example.org")],
///     relatedOrigins: [], embedding: .refused)
/// ```
public struct RelyingParty: Sendable {
    public let id: RelyingPartyID
    /// The name for people; browsers rarely show it.
    public let name: String
    /// The origins of its own pages and apps.
    public let origins: [Origin]
    /// Pages of other domains that may use its credentials (Level 3, section 5.11).
    public let relatedOrigins: [Origin]
    /// Whether pages of other origins may embed the ceremony.
    public let embedding: Embedding
    /// `origins` and `relatedOrigins`.
    private let accepted: [Origin]

    /// Whether its pages may run ceremonies inside frames of other sites. A site that frames a page can make users
    /// click on something invisible.
    public enum Embedding: Equatable, Sendable {
        /// Embedded ceremonies are refused.
        case refused
        /// Ceremonies are allowed in frames of these origins. If a client does not name the framing origin, it is known
        /// only that the page was in a frame; prevent other frames by the page's own `frame-ancestors`.
        case allowed(in: [Origin])
    }

    /// Creates a relying party.
    ///
    /// - Throws: ``WebAuthnError/foreignOrigin`` if one of `origins` is a page of another domain, or one of
    ///   `relatedOrigins` is not an `https` page of another domain; ``WebAuthnError/malformed(_:)`` if there is no
    ///   origin, or too many.
    public init(
        id: RelyingPartyID, name: String, origins: [Origin], relatedOrigins: [Origin], embedding: Embedding
    ) throws(WebAuthnError) {
        var topOrigins: [Origin] = []
        if case .allowed(let origins) = embedding { topOrigins = origins }
        guard !origins.isEmpty, origins.count + relatedOrigins.count <= WebAuthnLimits.origins,
            topOrigins.count <= WebAuthnLimits.origins
        else { throw .malformed(.origin) }
        for origin in origins {
            if let host = origin.host, !id.covers(host) { throw .foreignOrigin }
        }
        for origin in relatedOrigins {
            guard let host = origin.host, origin.isSecure, !id.covers(host) else { throw .foreignOrigin }
        }
        self.id = id
        self.name = name
        self.origins = origins
        self.relatedOrigins = relatedOrigins
        self.embedding = embedding
        accepted = origins + relatedOrigins
    }

    /// The document at `https://ID/.well-known/webauthn`, as `application/json`, with which browsers allow pages of the
    /// related origins; nil without any. Browsers read at most five different site names.
    public var relatedOriginsDocument: JSON? {
        relatedOrigins.isEmpty ? nil : ["origins": .array(relatedOrigins.map { .string($0.text) })]
    }

    /// Checks what both ceremonies say about the page: challenge, origin, frames.
    func check(
        _ client: CollectedClientData, is ceremony: CollectedClientData.Ceremony, answering challenge: Challenge
    ) throws(WebAuthnError) {
        // 7.1 step 7, 7.2 step 10: the ceremony.
        guard client.type == ceremony else { throw .wrongType }
        // 7.1 step 8, 7.2 step 11: the challenge. The text was decoded strictly, so equal bytes are equal texts.
        guard challenge.matches(client.challenge) else { throw .wrongChallenge }
        // 7.1 step 9, 7.2 step 12: the page's origin.
        guard accepted.contains(where: { $0.matches(client.origin) }) else { throw .wrongOrigin }
        // 7.1 step 10, 7.2 step 13, and the first part of the next step: inside a frame of another site.
        guard client.crossOrigin || client.topOrigin != nil else { return }
        guard case .allowed(let topOrigins) = embedding else { throw .crossOriginRefused }
        // 7.1 step 11, 7.2 step 14: the framing origin.
        if let topOrigin = client.topOrigin {
            guard topOrigins.contains(where: { $0.matches(topOrigin) }) else { throw .wrongTopOrigin }
        }
    }
}
