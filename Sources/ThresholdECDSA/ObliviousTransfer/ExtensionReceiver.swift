internal import Secrets
internal import Threshold

extension ECDSA {
    /// The receiver of an extension: it chooses, and gets the pad of its bit of each transfer.
    struct ExtensionReceiver: ~Copyable, Sendable {
        /// e: names this extension.
        let base: [UInt8]
        /// The message for the sender.
        private(set) var message: [UInt8]

        private let shape: ExtensionShape
        private let padBase: [UInt8]
        /// The columns of V.
        private let columns: SecretBytes

        /// - Parameters:
        ///   - choice: one bit for each column; the last 128 bits are uniform and have no other use.
        ///   - session: 32 bytes, unique among the extensions of these participants.
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

        /// Computes the rows of V, and the corrections.
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

        /// Computes x, and t₀ ‖ … ‖ t₁₂₇.
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

        /// Returns the pads of its bits, `width` of 32 bytes for each transfer, column first.
        borrowing func pads(width: Int) -> SecretBytes {
            Extension.pads(
                of: columns, plus: SecretBytes(fleeting: shape.columnSize) { _ in }, base: padBase, width: width,
                shape: shape)
        }

        /// Returns the message and drops it, since it is not needed while waiting for an answer.
        mutating func takeMessage() -> [UInt8] {
            defer { message = [] }
            return message
        }
    }
}
