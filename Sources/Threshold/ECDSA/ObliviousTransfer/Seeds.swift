internal import Secrets

extension ECDSA {
    /// What a sender of extensions keeps: its correlation Δ, and of each tree all seeds but one.
    ///
    /// The seeds of a tree are ordered by y = x ⊕ (the tree's bits of Δ), from 1 to 15: that of 0 is the one that is missing.
    /// So which memory is read later does not depend on Δ.
    struct SenderSeeds: ~Copyable, Sendable {
        static let size = columnSize + trees * (leaves - 1) * seedSize

        /// Δ, then the seeds, tree by tree.
        let bytes: SecretBytes

        /// - Precondition: ``size`` bytes.
        init(_ bytes: consuming SecretBytes) {
            precondition(bytes.count == Self.size, "the sender's seeds have \(Self.size) bytes")
            self.bytes = bytes
        }

        /// A copy of Δ.
        borrowing func correlation() -> SecretBytes { bytes.prefix(columnSize) }
    }

    /// What a receiver of extensions keeps: all seeds of each tree.
    struct ReceiverSeeds: ~Copyable, Sendable {
        static let size = trees * leaves * seedSize

        /// The seeds, tree by tree.
        let bytes: SecretBytes

        /// - Precondition: ``size`` bytes.
        init(_ bytes: consuming SecretBytes) {
            precondition(bytes.count == Self.size, "the receiver's seeds have \(Self.size) bytes")
            self.bytes = bytes
        }
    }
}
