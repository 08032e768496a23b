internal import Curves
internal import Threshold
internal import Wallet

/// A signature that FROST makes, for a taproot input.
struct SchnorrRequest: Sendable {
    let request: SigningRequest
    let tweaks: [FROST.BIP340.Tweak]

    /// Nothing for an input that takes another kind of signature.
    init?(_ request: SigningRequest) {
        guard case .taproot(let key) = request.key else { return nil }
        self.request = request
        tweaks = key.tweaks.map(FROST.BIP340.Tweak.init)
    }
}

/// A signature that DKLs23 makes, for a P2WPKH input.
struct ECDSARequest: Sendable {
    let request: SigningRequest
    /// What is added to the group's key.
    let tweak: Scalar<Secp256k1>
    /// What the signature must verify under.
    let publicKey: Secp256k1.Point

    /// Nothing for an input that takes another kind of signature.
    init?(_ request: SigningRequest) {
        guard case .segwit(let key) = request.key else { return nil }
        self.request = request
        tweak = key.tweak
        publicKey = key.publicKey
    }

    /// What the signers agree on, before any of them draws a nonce.
    func agreed(by signers: [ParticipantIndex]) throws(ThresholdError) -> ECDSA.SigningRequest {
        try ECDSA.SigningRequest(signers: signers, tweak: tweak, message: request.message)
    }

    /// The number of a request among those of its kind, as the coordinator asks for it.
    static func encode(_ number: Int) -> [UInt8] { [UInt8(number >> 8), UInt8(number & 0xff)] }
}

/// The participants whose indices stand in a message.
///
/// - Throws: ``ThresholdError/invalidParameters``.
func participants(_ indices: [Int]) throws(ThresholdError) -> [ParticipantIndex] {
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
