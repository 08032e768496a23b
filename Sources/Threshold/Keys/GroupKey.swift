public import Curves

/// The public half of a threshold key: the public key, and the public part of each participant's share.
///
/// A value of this type is consistent: its verification shares and its public key lie on one polynomial of degree t - 1, so
/// that any t participants, and no fewer, sign for this key.
public struct GroupKey<Group: Curve>: Equatable, Sendable {
    /// The threshold and the number of participants.
    public let parameters: ThresholdParameters
    /// The key under which signatures verify.
    public let publicKey: Group.Point
    /// The public part of each share. That of participant i is at i - 1.
    public let verificationShares: [Group.Point]

    /// Creates the public half of a key from its parts.
    ///
    /// - Throws: ``ThresholdError/inconsistentKey`` if the points are not n shares of this public key.
    public init(
        parameters: ThresholdParameters, publicKey: Group.Point, verificationShares: [Group.Point]
    ) throws(ThresholdError) {
        guard verificationShares.count == parameters.total,
            Self.areShares(verificationShares, of: publicKey, threshold: parameters.threshold)
        else { throw .inconsistentKey }
        self.parameters = parameters
        self.publicKey = publicKey
        self.verificationShares = verificationShares
    }

    /// Makes the key of a shared polynomial, which is consistent by construction.
    ///
    /// - Throws: ``ThresholdError/inconsistentKey`` if the key or a share is the identity, or fewer than t participants
    ///   suffice.
    package init(
        parameters: ThresholdParameters, commitment: PolynomialCommitment<Group>
    ) throws(ThresholdError) {
        let shares = commitment.shares(total: parameters.total)
        guard commitment.coefficients.count == parameters.threshold,
            commitment.coefficients.last?.isIdentity == false, !commitment.constant.isIdentity,
            !shares.contains(where: \.isIdentity)
        else { throw .inconsistentKey }
        self.parameters = parameters
        publicKey = commitment.constant
        verificationShares = shares
    }

    /// Returns the public part of one participant's share.
    ///
    /// - Throws: ``ThresholdError/unknownParticipant(_:)`` if the group has no such participant.
    public func verificationShare(of index: ParticipantIndex) throws(ThresholdError) -> Group.Point {
        guard parameters.contains(index) else { throw .unknownParticipant(index) }
        return verificationShares[index.value - 1]
    }

    /// Returns whether F(0), F(1), …, F(n) are the values of a polynomial of degree exactly t - 1.
    ///
    /// The places are consecutive numbers, so the t-th differences of such values all vanish, and those before them do
    /// not. This is exact, and needs at most t·n point subtractions and no multiplication.
    private static func areShares(_ shares: [Group.Point], of publicKey: Group.Point, threshold: Int) -> Bool {
        var differences = [publicKey] + shares
        guard !differences.contains(where: \.isIdentity) else { return false }
        for order in 1...threshold {
            // The (t-1)-th differences are equal to each other and must not vanish: otherwise t - 1 participants would
            // suffice.
            if order == threshold, differences.first?.isIdentity == true { return false }
            differences = zip(differences.dropFirst(), differences).map { $0 - $1 }
        }
        return differences.allSatisfy(\.isIdentity)
    }
}

extension GroupKey {
    /// The encoding: header, threshold, total, public key, verification shares in order. See
    /// `docs/formats/threshold-messages.md`.
    public var encoded: [UInt8] {
        var writer = MessageWriter<Group>(kind: .groupKey, reserving: 64 * (verificationShares.count + 2))
        writer.count(parameters.threshold)
        writer.count(parameters.total)
        writer.point(publicKey)
        for share in verificationShares { writer.point(share) }
        return writer.bytes
    }

    /// Decodes the form of ``encoded``.
    ///
    /// - Throws: ``ThresholdError/malformed(_:)``, ``ThresholdError/invalidParameters``,
    ///   ``ThresholdError/invalidElement`` or ``ThresholdError/inconsistentKey``.
    public init(decoding bytes: [UInt8]) throws(ThresholdError) {
        var reader = try MessageReader<Group>(bytes, kind: .groupKey)
        let parameters = try ThresholdParameters(threshold: Int(try reader.byte()), total: Int(try reader.byte()))
        let publicKey = try reader.point()
        var shares: [Group.Point] = []
        for _ in 0..<parameters.total { shares.append(try reader.point()) }
        try reader.finish()
        try self.init(parameters: parameters, publicKey: publicKey, verificationShares: shares)
    }

    /// The identity of this key with its present shares, 32 bytes. A renewal changes it, so that shares of different
    /// epochs are never mixed.
    public var fingerprint: [UInt8] { SHA256.hash(Array("Fueki/group-key/1".utf8) + encoded) }
}
