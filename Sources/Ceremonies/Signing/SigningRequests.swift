internal import Bitcoin
internal import Curves
package import Threshold
internal import ThresholdECDSA
internal import Wallet

/// A signature that FROST makes.
struct SchnorrRequest: Sendable {
    /// The 32 bytes to sign.
    let message: [UInt8]
    let tweaks: [FROST.BIP340.Tweak]

    /// Creates the request; nil for another kind of signature.
    init?(_ request: SignatureRequest) {
        guard case .schnorr(let tweaks) = request.key else { return nil }
        message = request.message
        self.tweaks = tweaks.map(FROST.BIP340.Tweak.init)
    }
}

/// A signature that DKLs23 makes.
struct ECDSARequest: Sendable {
    /// The 32 bytes to sign.
    let message: [UInt8]
    /// The scalar that is added to the group key.
    let tweak: Scalar<Secp256k1>
    /// The key under which the signature must verify.
    let publicKey: Secp256k1.Point

    /// Creates the request; nil for another kind of signature.
    init?(_ request: SignatureRequest) {
        guard case .ecdsa(let tweak, let publicKey) = request.key else { return nil }
        message = request.message
        self.tweak = tweak
        self.publicKey = publicKey
    }

    /// Returns the request that the signers agree on before any of them draws a nonce.
    func agreed(by signers: [ParticipantIndex]) throws(ThresholdError) -> ECDSA.SigningRequest {
        try ECDSA.SigningRequest(signers: signers, tweak: tweak, message: message)
    }

    /// Returns the numbers of the requests that are signed together, beginning with `number`. The size of a message
    /// limits them. Each side computes them itself.
    ///
    /// - Parameters:
    ///   - total: the number of requests.
    ///   - signers: the number of signers, at least two.
    static func batch(from number: Int, of total: Int, by signers: Int) -> Range<Int> {
        number..<min(number + Limits.multiplications / (signers - 1), total)
    }

    /// Encodes the position of a request among those of its kind.
    static func encode(_ number: Int) -> [UInt8] { [UInt8(number >> 8), UInt8(number & 0xff)] }
}

/// Returns the participants with these indices.
///
/// - Throws: ``ThresholdError/invalidParameters``.
package func participantIndices(_ indices: [Int]) throws(ThresholdError) -> [ParticipantIndex] {
    var participants: [ParticipantIndex] = []
    for index in indices { participants.append(try ParticipantIndex(index)) }
    return participants
}

extension FROST.BIP340.Tweak {
    /// Converts a step of the wallet's derivation.
    init(_ tweak: KeyTweak) {
        switch tweak {
        case .plain(let scalar): self = .plain(scalar)
        case .xOnly(let scalar): self = .xOnly(scalar)
        }
    }
}
