public import Secrets

/// The identity of one ceremony: 32 random bytes, drawn by the coordinator.
public struct CeremonyID: Hashable, Sendable {
    /// The size of an identity: 32 bytes.
    public static let size = 32

    let bytes: [UInt8]

    public init(from random: some RandomSource) {
        bytes = random.publicBytes(count: Self.size)
    }

    init(_ bytes: some Collection<UInt8>) {
        self.bytes = Array(bytes)
    }
}
