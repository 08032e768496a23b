internal import Bitcoin
internal import Curves
package import Threshold
internal import Wallet

/// A signature that FROST makes.
struct SchnorrRequest: Sendable {
    /// The 32 bytes to sign.
    let message: [UInt8]
    let tweaks: [FROST.BIP340.Tweak]

    /// Nothing where another kind of signature is asked for.
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
    /// What is added to the group's key.
    let tweak: Scalar<Secp256k1>
    /// What the signature must verify under.
    let publicKey: Secp256k1.Point

    /// Nothing where another kind of signature is asked for.
    init?(_ request: SignatureRequest) {
        guard case .ecdsa(let tweak, let publicKey) = request.key else { return nil }
        message = request.message
        self.tweak = tweak
        self.publicKey = publicKey
    }

    /// What the signers agree on, before any of them draws a nonce.
    func agreed(by signers: [ParticipantIndex]) throws(ThresholdError) -> ECDSA.SigningRequest {
        try ECDSA.SigningRequest(signers: signers, tweak: tweak, message: message)
    }

    /// The number of a request among those of its kind, as the coordinator asks for it.
    static func encode(_ number: Int) -> [UInt8] { [UInt8(number >> 8), UInt8(number & 0xff)] }
}

/// The participants whose indices stand in a message.
///
/// - Throws: ``ThresholdError/invalidParameters``.
package func participantIndices(_ indices: [Int]) throws(ThresholdError) -> [ParticipantIndex] {
    var participants: [ParticipantIndex] = []
    for index in indices { participants.append(try ParticipantIndex(index)) }
    return participants
}

extension FROST.BIP340.Tweak {
    /// A step that the wallet's derivation asks for.
    init(_ tweak: KeyTweak) {
        switch tweak {
        case .plain(let scalar): self = .plain(scalar)
        case .xOnly(let scalar): self = .xOnly(scalar)
        }
    }
}
