import Secrets

@testable import Curves
@testable import Threshold

/// Oblivious transfer and multiplication, by the secret choice and by Δ, which are zero in the fixed class.
struct TransferExperiments {
    private let session = SystemRandom().publicBytes(count: 32)
    private let sender = ParticipantIndex(unchecked: 1)
    private let receiver = ParticipantIndex(unchecked: 2)
    /// All seeds, by tree and leaf.
    private let seeds = SystemRandom().publicBytes(count: ECDSA.ReceiverSeeds.size)

    var all: [Experiment] {
        [
            exchange, selection, transposition, checkOfChoice, extensionReceiver, extensionSender,
            multiplicationReceiver,
        ]
    }

    /// Where hashing takes most of the time, a branch on a secret bit is too little to be seen in the whole: so its parts, too.
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

    /// Work by 256 secret bits on two regions of 64 bytes.
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
            let rows = Box(kind.bytes(count: 8 * BitMatrix.words))
            let columns = Words(count: BitMatrix.words)
            return {
                rows.value.withUnsafeBytes {
                    BitMatrix.transpose($0.origin.assumingMemoryBound(to: UInt64.self), to: columns.start)
                }
            }
        }
    }

    private var checkOfChoice: Experiment {
        let corrections = SystemRandom().publicBytes(count: ECDSA.Extension.correctionsSize)
        let check = corrections.withUnsafeBytes { ECDSA.ExtensionCheck(base: session, corrections: $0) }
        return Experiment(name: "transfer: check of the choice", repetitions: 4, measurements: 10_000) { kind in
            let choice = Box(kind.bytes(count: ECDSA.rowSize))
            return {
                choice.value.withUnsafeBytes {
                    use(check.map(choice: $0.origin.assumingMemoryBound(to: UInt64.self)))
                }
            }
        }
    }

    private var extensionReceiver: Experiment {
        let seeds = Box(ECDSA.ReceiverSeeds(secret(seeds)))
        return Experiment(name: "transfer: receiver, by its choice", repetitions: 1, measurements: 4_000) { kind in
            let choice = Box(kind.bytes(count: ECDSA.rowSize))
            return { use(extend(choice.value, seeds.value)) }
        }
    }

    private var extensionSender: Experiment {
        let message = extend(
            SecretBytes(count: ECDSA.rowSize, from: SystemRandom()), ECDSA.ReceiverSeeds(secret(seeds))
        )
        .message
        return Experiment(name: "transfer: sender, by Δ", repetitions: 1, measurements: 4_000) { kind in
            let seeds = Box(senderSeeds(kind))
            return {
                do throws(ThresholdError) {
                    let sending = try ECDSA.ExtensionSender(
                        answering: message, seeds: seeds.value, session: session, sender: sender, receiver: receiver)
                    use(sending.pads(width: 1))
                } catch { preconditionFailure("\(error)") }
            }
        }
    }

    private var multiplicationReceiver: Experiment {
        let zero = SystemRandom().publicBytes(count: ECDSA.transfers * 3 * 32)
        let one = SystemRandom().publicBytes(count: ECDSA.transfers * 3 * 32)
        let gadget = ECDSA.Multiplication.gadget(session: session)
        let message = ECDSA.MultiplicationSender(
            SecretScalar(from: SystemRandom()), SecretScalar(from: SystemRandom()),
            check: SecretScalar(from: SystemRandom()),
            pads: ECDSA.SenderPads(zero: secret(zero), one: secret(one)), base: session, gadget: gadget
        ).message
        return Experiment(name: "multiplication: receiver, by its choice", repetitions: 1, measurements: 4_000) {
            kind in
            let bits = kind.bytes(count: ECDSA.transfers / 8)
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
        _ choice: borrowing SecretBytes, _ seeds: borrowing ECDSA.ReceiverSeeds
    ) -> ECDSA.ExtensionReceiver {
        ECDSA.ExtensionReceiver(choice: choice, seeds: seeds, session: session, sender: sender, receiver: receiver)
    }

    /// Δ, and of each tree the seeds y = x ⊕ (bits of Δ) from 1 on, of the same trees for both classes.
    private func senderSeeds(_ kind: Experiment.Class) -> ECDSA.SenderSeeds {
        let correlation = kind.bytes(count: ECDSA.columnSize).withUnsafeBytes { Array($0) }
        var bytes = correlation
        for tree in 0..<ECDSA.trees {
            let missing = (0..<ECDSA.treeDepth).reduce(0) { leaf, level in
                let place = ECDSA.treeDepth * tree + level
                return 2 * leaf + Int(correlation[place / 8] >> (place % 8) & 1)
            }
            for y in 1..<ECDSA.leaves {
                let start = (ECDSA.leaves * tree + (y ^ missing)) * ECDSA.seedSize
                bytes += seeds[start..<(start + ECDSA.seedSize)]
            }
        }
        return ECDSA.SenderSeeds(secret(bytes))
    }

    private func secret(_ bytes: [UInt8]) -> SecretBytes {
        var bytes = bytes
        return SecretBytes(moving: &bytes)
    }
}

/// Working memory that lives as long as what is measured.
private final class Words {
    let start: UnsafeMutablePointer<UInt64>

    init(count: Int) {
        start = .allocate(capacity: count)
        start.initialize(repeating: 0, count: count)
    }

    deinit { start.deallocate() }
}
