internal import Encoding
internal import Secrets

extension ECDSA {
    /// The side of an extension that knows both pads of each transfer, and must not learn which of them the other has.
    struct ExtensionSender: ~Copyable, Sendable {
        /// e: names this extension.
        let base: [UInt8]

        /// The columns of Q.
        private let columns: SecretBytes
        private let correlation: SecretBytes
        private let padBase: [UInt8]

        /// Checks the receiver's message.
        ///
        /// - Throws: ``ThresholdError/malformed(_:)`` if it has another size; ``ThresholdError/cheating(by:)`` with the receiver if
        ///   the check fails. Each failure can tell the receiver bits of Δ: after one, Δ must not be used again.
        init(
            answering message: [UInt8], seeds: borrowing SenderSeeds, session: [UInt8], sender: ParticipantIndex,
            receiver: ParticipantIndex
        ) throws(ThresholdError) {
            guard message.count >= Extension.messageSize else { throw .malformed(.truncated) }
            guard message.count == Extension.messageSize else {
                throw .malformed(.leftOver(count: message.count - Extension.messageSize))
            }
            let base = Extension.base(session: session, sender: sender, receiver: receiver)
            var isSound = false
            let columns = SecretBytes(fleeting: BitMatrix.words * 8) { columns in
                let columns = columns.origin.assumingMemoryBound(to: UInt64.self)
                message.withUnsafeBytes { message in
                    seeds.bytes.withUnsafeBytes { seeds in
                        Extension.withWords(BitMatrix.words) { rows in
                            Self.expand(seeds, base, message, rows)
                            BitMatrix.transpose(rows, to: columns)
                        }
                        isSound = Self.isSound(message, base, correlation: seeds.part(0, columnSize), columns)
                    }
                }
            }
            guard isSound else { throw .cheating(by: receiver) }
            self.base = base
            self.columns = columns
            correlation = seeds.correlation()
            padBase = Extension.padBase(base: base, message: message)
        }

        /// The rows of Q.
        private static func expand(
            _ seeds: UnsafeRawBufferPointer, _ base: [UInt8], _ message: UnsafeRawBufferPointer,
            _ rows: UnsafeMutablePointer<UInt64>
        ) {
            let hash = LoopHash(base)
            let known = leaves - 1
            Extension.withWords(leaves * Extension.pieceWords) { pieces in
                for tree in 0..<trees {
                    // The piece of y = 0 is not known, and stays out of every row.
                    for word in 0..<Extension.pieceWords { pieces[word] = 0 }
                    Extension.expand(
                        seeds.part(columnSize + tree * known * seedSize, known * seedSize), count: known, hash,
                        to: pieces + Extension.pieceWords)
                    let treeRows = rows + tree * treeDepth * BitMatrix.rowWords
                    Extension.fold(pieces, to: treeRows)
                    for level in 0..<treeDepth {
                        let mask = Masks.mask(seeds, bit: tree * treeDepth + level)
                        for word in 0..<BitMatrix.rowWords {
                            treeRows[level * BitMatrix.rowWords + word] ^=
                                mask & message.loadUnaligned(fromByteOffset: tree * rowSize + 8 * word, as: UInt64.self)
                        }
                    }
                }
            }
        }

        /// Whether column p of the mapped Q is t_p, plus Δ where bit p of x is 1, for all p. In constant time.
        private static func isSound(
            _ message: UnsafeRawBufferPointer, _ base: [UInt8], correlation: UnsafeRawBufferPointer,
            _ columns: UnsafePointer<UInt64>
        ) -> Bool {
            let check = ExtensionCheck(base: base, corrections: message.part(0, Extension.correctionsSize))
            let x = message.part(Extension.correctionsSize, ExtensionCheck.size)
            let sent = message.part(Extension.correctionsSize + ExtensionCheck.size, ExtensionCheck.columnsSize)
            return Extension.withWords(ExtensionCheck.columnsSize / 8) { mapped in
                check.map(columns, to: mapped)
                for bit in 0..<ExtensionCheck.bits where x[bit / 8] >> (bit % 8) & 1 == 1 {
                    for word in 0..<BitMatrix.columnWords {
                        mapped[bit * BitMatrix.columnWords + word] ^=
                            correlation.loadUnaligned(fromByteOffset: 8 * word, as: UInt64.self)
                    }
                }
                return constantTimeEquals(
                    UnsafeRawBufferPointer(start: mapped, count: ExtensionCheck.columnsSize), sent)
            }
        }

        /// The pads of both bits, `width` of 32 bytes for each of the 512 transfers, column first.
        borrowing func pads(width: Int) -> SenderPads {
            SenderPads(
                zero: Extension.pads(
                    of: columns, plus: SecretBytes(fleeting: columnSize) { _ in }, base: padBase, width: width),
                one: Extension.pads(of: columns, plus: correlation, base: padBase, width: width))
        }
    }

    /// The pads of a sender: of the bit 0, and of the bit 1.
    struct SenderPads: ~Copyable, Sendable {
        let zero: SecretBytes
        let one: SecretBytes
    }
}
