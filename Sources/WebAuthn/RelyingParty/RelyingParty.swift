public import Encoding

/// Who asks for credentials: its identifier, and the pages that may ask in its name.
///
/// ```swift
/// let shop = try RelyingParty(
///     id: RelyingPartyID("example.org"), name: "Example", origins: [Origin("https://example.org")],
///     relatedOrigins: [], embedding: .refused)
/// ```
public struct RelyingParty: Sendable {
    public let id: RelyingPartyID
    /// For people; browsers show it hardly anywhere.
    public let name: String
    /// Pages and apps of its own.
    public let origins: [Origin]
    /// Pages of other domains that may use its credentials (Level 3, section 5.11).
    public let relatedOrigins: [Origin]
    /// Whether pages of other origins may embed the ceremony.
    public let embedding: Embedding
    /// `origins` and `relatedOrigins`.
    private let accepted: [Origin]

    /// Whether its pages may ask inside frames of other sites. Whoever frames a page can have people click on what they
    /// do not see.
    public enum Embedding: Equatable, Sendable {
        /// Embedded ceremonies are refused.
        case refused
        /// In frames of these. A client that does not say in whose frame it is cannot be asked for it: that the page was in
        /// a frame is then all that is known. Have the page itself be framed by nobody else (`frame-ancestors`).
        case allowed(in: [Origin])
    }

    /// Creates a relying party.
    ///
    /// - Throws: ``WebAuthnError/foreignOrigin`` if one of `origins` is a page of another domain, or one of `relatedOrigins`
    ///   no page with `https` of another domain; ``WebAuthnError/malformed(_:)`` if there is no origin, or too many are.
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

    /// What `https://ID/.well-known/webauthn` must answer, as `application/json`, so that browsers let pages of the related
    /// origins ask; nil if there are none. Browsers look at no more than five different names of sites.
    public var relatedOriginsDocument: JSON? {
        relatedOrigins.isEmpty ? nil : ["origins": .array(relatedOrigins.map { .string($0.text) })]
    }

    /// The part of both ceremonies that is about the page: challenge, origin, frames.
    func check(
        _ client: CollectedClientData, is ceremony: CollectedClientData.Ceremony, answering challenge: Challenge
    ) throws(WebAuthnError) {
        // 7.1 step 7, 7.2 step 10: the ceremony.
        guard client.type == ceremony else { throw .wrongType }
        // 7.1 step 8, 7.2 step 11: the challenge. The text was decoded strictly, so equal bytes are equal texts.
        guard challenge.matches(client.challenge) else { throw .wrongChallenge }
        // 7.1 step 9, 7.2 step 12: the page's origin.
        guard accepted.contains(where: { $0.matches(client.origin) }) else { throw .wrongOrigin }
        // 7.1 step 10, 7.2 step 13, and the first part of the step behind it: inside a frame of another site.
        guard client.crossOrigin || client.topOrigin != nil else { return }
        guard case .allowed(let topOrigins) = embedding else { throw .crossOriginRefused }
        // 7.1 step 11, 7.2 step 14: of whose.
        if let topOrigin = client.topOrigin {
            guard topOrigins.contains(where: { $0.matches(topOrigin) }) else { throw .wrongTopOrigin }
        }
    }
}
