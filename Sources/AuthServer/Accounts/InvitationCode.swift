internal import Crypto
internal import Secrets

/// A code that lets somebody make an account, once: 152 random bits, of which the store has only a hash.
struct InvitationCode: Equatable {
    private let bytes: [UInt8]

    init(random: some RandomSource) { bytes = random.publicBytes(count: TypedCode.size) }

    /// Reads what a person typed. Nil for what cannot be a code.
    init?(_ text: String) {
        guard let bytes = TypedCode.bytes(of: text, .invitation) else { return nil }
        self.bytes = bytes
    }

    /// As it is shown, once.
    var text: String { TypedCode.text(of: bytes, .invitation) }

    /// By which the store finds it: 32 bytes. Nothing is to be guessed in 152 bits, so that a plain hash is enough.
    var hash: [UInt8] { Array(SHA256.hash(data: Array("fuekid invitation\0".utf8) + bytes)) }
}
