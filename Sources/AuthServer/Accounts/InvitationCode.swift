internal import Crypto
package import Secrets

/// An invitation code, with which a person makes one account: 152 random bits. The store has only a hash of it.
package struct InvitationCode: Equatable {
    private let bytes: [UInt8]

    package init(random: some RandomSource) { bytes = random.publicBytes(count: TypedCode.size) }

    /// Parses a code that a person typed. Returns nil for any text that is not a code.
    init?(_ text: String) {
        guard let bytes = TypedCode.bytes(of: text, .invitation) else { return nil }
        self.bytes = bytes
    }

    /// The text of the code, which is shown once.
    package var text: String { TypedCode.text(of: bytes, .invitation) }

    /// The hash by which the store finds the code: 32 bytes. A code of 152 random bits cannot be guessed, so a plain
    /// hash is enough.
    package var hash: [UInt8] { Array(SHA256.hash(data: Array("fuekid invitation\0".utf8) + bytes)) }
}
