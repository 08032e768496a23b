internal import Secrets
public import Time

extension RefreshFamily {
    /// Decides on a presented token.
    ///
    /// A token is redeemed once. The same device can present it again within the window, and gets the same successor: a
    /// lost response, or twelve tabs at once, end no session. The window begins with the first use, and nothing extends
    /// it. Any other reuse ends the family.
    ///
    /// - Parameters:
    ///   - token: a token of this family (the row was found by its id), with a genuine tag.
    ///   - thumbprint: the key of the proof that came with it.
    ///   - candidate: ``RefreshToken/successor(keys:random:)`` of the token; used only if this is its first use.
    /// - Throws: ``TokensError/damaged`` if the row's record of an earlier rotation does not open.
    public func redeem(
        _ token: RefreshToken, by thumbprint: KeyThumbprint, candidate: RefreshToken, now: Timestamp,
        policy: RefreshPolicy
    ) throws(TokensError) -> RefreshDecision {
        precondition(token.family == id && candidate.family == id, "the row is found by the token's family")
        precondition(candidate.isNext(after: token), "a candidate follows the token that it is to replace")
        // A family that was ended stays so: a token that is presented later changes nothing.
        if let revocation { return .revoked(revocation) }
        if now >= expiresAt { return .expired(.absolute) }
        if now >= idleExpiresAt { return .expired(.idle) }
        // Checked before everything that can succeed: a token is useless without the family's own key (RFC 9449 section
        // 5).
        guard thumbprint == self.thumbprint else { return reuse(.otherKey, at: now) }

        if constantTimeEquals(token.hash, currentHash) {
            let kept = recent.entries.filter { isOpen($0, now: now, policy: policy) }
            if kept.count >= TokensLimits.recentRotations, let oldest = kept.first {
                return .slowDown(until: oldest.at.adding(policy.window).adding(Timestamp.Span(milliseconds: 1)))
            }
            return .rotate(rotated(token, to: candidate, keeping: kept, now: now, policy: policy), successor: candidate)
        }
        if let rotation = recent.entries.first(where: { constantTimeEquals($0.redeemed, token.hash) }) {
            // The successor may have been redeemed by a parallel request: then the next retry continues from there.
            guard isOpen(rotation, now: now, policy: policy) else { return reuse(.recent, at: now) }
            return .repeatSuccessor(try rotation.successor.open(with: token))
        }
        return reuse(token.generation > generation ? .ahead : .stale, at: now)
    }

    /// Returns whether a retry of this rotation still gets its successor.
    private func isOpen(_ rotation: Rotations.Rotation, now: Timestamp, policy: RefreshPolicy) -> Bool {
        now.since(rotation.at) <= policy.window
    }

    private func reuse(_ kind: RefreshDecision.Reuse, at now: Timestamp) -> RefreshDecision {
        .reuse(kind, revoked(at: now, reason: .reuse))
    }

    private func rotated(
        _ token: RefreshToken, to candidate: RefreshToken, keeping kept: [Rotations.Rotation], now: Timestamp,
        policy: RefreshPolicy
    ) -> RefreshFamily {
        var next = self
        let successor = SealedSuccessor(candidate, under: token)
        next.recent = Rotations(kept + [Rotations.Rotation(redeemed: token.hash, at: now, successor: successor)])
        next.generation = candidate.generation
        next.currentHash = candidate.hash
        next.lastUsedAt = now
        // The idle expiry moves, but never past the absolute one.
        next.idleExpiresAt = min(now.adding(policy.idle), expiresAt)
        return next
    }
}
