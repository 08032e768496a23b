internal import Secrets

extension ECDSA {
    /// The side of an extension that chooses: of each transfer it gets the pad of its bit.
    struct ExtensionReceiver: ~Copyable, Sendable {
        /// e: names this extension.
        let base: [UInt8]
        /// For the sender.
        private(set) var message: [UInt8]

        private let shape: ExtensionShape
        private let padBase: [UInt8]
        /// The columns of V.
        private let columns: SecretBytes

        /// - Parameters:
        ///   - choice: one bit for each column, of which the last 128 are uniform and used for nothing else.
        ///   - session: 32 bytes that no two extensions of these participants share.
        init(
            choice: borrowing SecretBytes, roots: borrowing TreeRoots, shape: ExtensionShape, session: [UInt8],
            sender: ParticipantIndex, receiver: ParticipantIndex
        ) {
            precondition(choice.count == shape.rowSize, "a choice has \(shape.rowSize) bytes")
            precondition(roots.trees.count == shape.trees, "four rows of each tree")
            let base = Extension.base(session: session, sender: sender, receiver: receiver)
            var message = [UInt8](repeating: 0, count: shape.messageSize)
            columns = SecretBytes(fleeting: shape.words * 8) { columns in
                let columns = columns.origin.assumingMemoryBound(to: UInt64.self)
                choice.withUnsafeBytes { choice in
                    message.withUnsafeMutableBytes { message in
                        Extension.withWords(shape.words) { rows in
                            Self.expand(roots, base, shape, choice, rows, message)
                            BitMatrix.transpose(
                                rows, to: columns, rowWords: shape.rowWords, columnWords: shape.columnWords)
                        }
                        Self.answer(base, shape, choice, columns, message)
                    }
                }
            }
            self.base = base
            padBase = Extension.padBase(base: base, message: message, shape: shape)
            self.message = message
            self.shape = shape
        }

        /// The rows of V, and the corrections.
        private static func expand(
            _ roots: borrowing TreeRoots, _ base: [UInt8], _ shape: ExtensionShape, _ choice: UnsafeRawBufferPointer,
            _ rows: UnsafeMutablePointer<UInt64>, _ message: UnsafeMutableRawBufferPointer
        ) {
            let hash = LoopHash(base)
            Extension.withWords(leaves * shape.pieceWords) { pieces in
                roots.forEachTree { tree, seeds in
                    Extension.expand(seeds, hash, shape, to: pieces)
                    Extension.fold(pieces, shape, to: rows + tree * treeDepth * shape.rowWords)
                    for word in 0..<shape.rowWords {
                        let bits = choice.loadUnaligned(fromByteOffset: 8 * word, as: UInt64.self)
                        message.storeBytes(
                            of: pieces[word] ^ bits, toByteOffset: tree * shape.rowSize + 8 * word, as: UInt64.self)
                    }
                }
            }
        }

        /// x, and t₀ ‖ … ‖ t₁₂₇.
        private static func answer(
            _ base: [UInt8], _ shape: ExtensionShape, _ choice: UnsafeRawBufferPointer,
            _ columns: UnsafePointer<UInt64>, _ message: UnsafeMutableRawBufferPointer
        ) {
            let check = ExtensionCheck(base: base, message: UnsafeRawBufferPointer(message), shape: shape)
            Extension.withWords(shape.rowWords) { words in
                UnsafeMutableRawPointer(words).copyMemory(from: choice.origin, byteCount: shape.rowSize)
                let (low, high) = check.map(choice: words)
                message.storeBytes(of: low, toByteOffset: shape.correctionsSize, as: UInt64.self)
                message.storeBytes(of: high, toByteOffset: shape.correctionsSize + 8, as: UInt64.self)
            }
            Extension.withWords(shape.mappedSize / 8) { mapped in
                check.map(columns, to: mapped)
                (message.origin + shape.correctionsSize + ExtensionCheck.size)
                    .copyMemory(from: mapped, byteCount: shape.mappedSize)
            }
        }

        /// The pads of its bits, `width` of 32 bytes for each of the transfers, column first.
        borrowing func pads(width: Int) -> SecretBytes {
            Extension.pads(
                of: columns, plus: SecretBytes(fleeting: shape.columnSize) { _ in }, base: padBase, width: width,
                shape: shape)
        }

        /// The message, which is not kept any more: who waits for an answer has no use for it.
        mutating func takeMessage() -> [UInt8] {
            defer { message = [] }
            return message
        }
    }
}
