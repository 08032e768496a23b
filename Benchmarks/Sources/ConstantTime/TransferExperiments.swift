import Secrets

@testable import Curves
@testable import Threshold
@testable import ThresholdECDSA

/// Oblivious transfer and multiplication, with the choice and Δ as secrets, which are zero in the fixed class.
struct TransferExperiments {
    private let session = SystemRandom().publicBytes(count: 32)
    private let sender = ParticipantIndex(unchecked: 1)
    private let receiver = ParticipantIndex(unchecked: 2)
    private let shape = ECDSA.ExtensionShape.signing
    private let trees = ECDSA.GGMTrees(
        base: SystemRandom().publicBytes(count: 32), count: ECDSA.ExtensionShape.signing.trees)
    /// Both nodes of level 1 of each tree.
    private let roots = SystemRandom().publicBytes(
        count: ECDSA.ExtensionShape.signing.trees * ECDSA.TreeRoots.treeSize)

    var all: [Experiment] {
        [
            exchange, selection, transposition, checkOfChoice, extensionReceiver, extensionSender,
            multiplicationReceiver,
        ]
    }

    /// Where hashing takes most of the time, the effect of a branch on a secret bit would be too small to see: so parts
    /// are measured as well.
    private var exchange: Experiment {
        masked("transfer: exchange by secret bits") { bits, left, right in
            for bit in 0..<256 { Masks.exchange(left, right, where: Masks.mask(bits, bit: bit)) }
        }
    }

    private var selection: Experiment {
        masked("transfer: selection by secret bits") { bits, left, right in
            for bit in 0..<256 {
                Masks.select(
                    UnsafeRawBufferPointer(left), UnsafeRawBufferPointer(right), where: Masks.mask(bits, bit: bit),
                    to: left)
            }
        }
    }

    /// Measures work on two regions of 64 bytes that depends on 256 secret bits.
    private func masked(
        _ name: String,
        _ body: @escaping (UnsafeRawBufferPointer, UnsafeMutableRawBufferPointer, UnsafeMutableRawBufferPointer) -> Void
    ) -> Experiment {
        Experiment(name: name, repetitions: 1, measurements: 10_000) { kind in
            let bits = Box(kind.bytes(count: 32))
            let regions = Words(count: 16)
            return {
                bits.value.withUnsafeBytes {
                    body(
                        $0, UnsafeMutableRawBufferPointer(start: regions.start, count: 64),
                        UnsafeMutableRawBufferPointer(start: regions.start + 8, count: 64))
                }
            }
        }
    }

    private var transposition: Experiment {
        Experiment(name: "transfer: columns of a matrix", repetitions: 1, measurements: 5_000) { kind in
            let rows = Box(kind.bytes(count: 8 * shape.words))
            let columns = Words(count: shape.words)
            return {
                rows.value.withUnsafeBytes {
                    BitMatrix.transpose(
                        $0.origin.assumingMemoryBound(to: UInt64.self), to: columns.start, rowWords: shape.rowWords,
                        columnWords: shape.columnWords)
                }
            }
        }
    }

    private var checkOfChoice: Experiment {
        let message = SystemRandom().publicBytes(count: shape.messageSize)
        let check = message.withUnsafeBytes { ECDSA.ExtensionCheck(base: session, message: $0, shape: shape) }
        return Experiment(name: "transfer: check of the choice", repetitions: 4, measurements: 10_000) { kind in
            let choice = Box(kind.bytes(count: shape.rowSize))
            return {
                choice.value.withUnsafeBytes {
                    use(check.map(choice: $0.origin.assumingMemoryBound(to: UInt64.self)))
                }
            }
        }
    }

    private var extensionReceiver: Experiment {
        let roots = Box(ECDSA.TreeRoots(trees, secret(roots)))
        return Experiment(name: "transfer: receiver, by its choice", repetitions: 1, measurements: 4_000) { kind in
            let choice = Box(kind.bytes(count: shape.rowSize))
            return { use(extend(choice.value, roots.value)) }
        }
    }

    private var extensionSender: Experiment {
        let message = extend(
            SecretBytes(count: shape.rowSize, from: SystemRandom()), ECDSA.TreeRoots(trees, secret(roots))
        )
        .message
        return Experiment(name: "transfer: sender, by Δ", repetitions: 1, measurements: 4_000) { kind in
            let coPaths = Box(coPaths(kind))
            return {
                do throws(ThresholdError) {
                    let sending = try ECDSA.ExtensionSender(
                        answering: message, coPaths: coPaths.value, shape: shape, session: session, sender: sender,
                        receiver: receiver)
                    use(sending.pads(width: 1))
                } catch { preconditionFailure("\(error)") }
            }
        }
    }

    private var multiplicationReceiver: Experiment {
        let zero = SystemRandom().publicBytes(count: ECDSA.Multiplication.transfers * 3 * 32)
        let one = SystemRandom().publicBytes(count: ECDSA.Multiplication.transfers * 3 * 32)
        let gadget = ECDSA.Multiplication.gadget(session: session)
        let message = ECDSA.MultiplicationSender(
            SecretScalar(from: SystemRandom()), SecretScalar(from: SystemRandom()),
            check: SecretScalar(from: SystemRandom()),
            pads: ECDSA.SenderPads(zero: secret(zero), one: secret(one)), base: session, gadget: gadget
        ).message
        return Experiment(name: "multiplication: receiver, by its choice", repetitions: 1, measurements: 4_000) {
            kind in
            let bits = kind.bytes(count: ECDSA.Multiplication.transfers / 8)
            var pads = zero
            bits.withUnsafeBytes { bits in
                for place in pads.indices {
                    let mask = 0 &- (bits[place / 96 / 8] >> (place / 96 % 8) & 1)
                    pads[place] ^= (zero[place] ^ one[place]) & mask
                }
            }
            let choice = Box(bits)
            let received = Box(secret(pads))
            return {
                do throws(ThresholdError) {
                    use(
                        try ECDSA.MultiplicationReceiver(
                            answering: message, from: sender, choice: choice.value, pads: received.value,
                            base: session, gadget: gadget))
                } catch { preconditionFailure("\(error)") }
            }
        }
    }

    private func extend(
        _ choice: borrowing SecretBytes, _ roots: borrowing ECDSA.TreeRoots
    ) -> ECDSA.ExtensionReceiver {
        ECDSA.ExtensionReceiver(
            choice: choice, roots: roots, shape: shape, session: session, sender: sender, receiver: receiver)
    }

    /// Returns Δ and the co-paths, from the same trees for both classes.
    private func coPaths(_ kind: Experiment.Class) -> ECDSA.CoPaths {
        let correlation = kind.bytes(count: shape.columnSize).withUnsafeBytes { Array($0) }
        var bytes = correlation
        var nodes = [UInt8](repeating: 0, count: ECDSA.leaves * ECDSA.seedSize)
        for tree in 0..<shape.trees {
            nodes.replaceSubrange(
                0..<ECDSA.TreeRoots.treeSize,
                with: roots[(tree * ECDSA.TreeRoots.treeSize)..<((tree + 1) * ECDSA.TreeRoots.treeSize)])
            var path = 0
            for level in 1...ECDSA.treeDepth {
                if level > 1 {
                    nodes.withUnsafeMutableBytes {
                        trees.grow(tree, $0.origin, parents: 0..<(1 << (level - 1)), to: level)
                    }
                }
                let place = ECDSA.treeDepth * tree + level - 1
                path = 2 * path + Int(correlation[place / 8] >> (place % 8) & 1)
                let beside = (path ^ 1) * ECDSA.seedSize
                bytes += nodes[beside..<(beside + ECDSA.seedSize)]
            }
        }
        return ECDSA.CoPaths(trees, secret(bytes))
    }

    private func secret(_ bytes: [UInt8]) -> SecretBytes {
        var bytes = bytes
        return SecretBytes(moving: &bytes)
    }
}

/// Working memory that lives as long as the measured operation.
private final class Words {
    let start: UnsafeMutablePointer<UInt64>

    init(count: Int) {
        start = .allocate(capacity: count)
        start.initialize(repeating: 0, count: count)
    }

    deinit { start.deallocate() }
}
