import Secrets

@testable import Curves
@testable import Threshold
@testable import ThresholdECDSA

/// The set-up of a pair, with the bits of Δ as the secret, and the sender of a multiplication, with its numbers as the
/// secret.
struct SetupExperiments {
    private let transfer = ECDSA.BaseTransfer(
        session: SystemRandom().publicBytes(count: 32), sender: ParticipantIndex(unchecked: 1),
        receiver: ParticipantIndex(unchecked: 2))

    var all: [Experiment] { [baseChoice, basePads, trees, multiplicationSender] }

    private var baseChoice: Experiment {
        Experiment(name: "base transfer: choice", repetitions: 1, measurements: 800) { kind in
            let random = ChosenBits(kind: kind)
            return { use(ECDSA.BaseReceiver(transfer: transfer, random: random)) }
        }
    }

    private var basePads: Experiment {
        // Any points are suitable: the receiver cannot distinguish them.
        let message = ECDSA.BaseReceiver(transfer: transfer, random: SystemRandom()).message
        let answer: [UInt8]
        do {
            answer = try ECDSA.BaseSender(answering: message, transfer: transfer, random: SystemRandom()).message
        } catch { preconditionFailure("\(error)") }
        return Experiment(name: "base transfer: pads, by the choice", repetitions: 1, measurements: 800) { kind in
            let receiver = Box(ECDSA.BaseReceiver(transfer: transfer, random: ChosenBits(kind: kind)))
            return {
                do { use(try receiver.value.pads(answer: answer)) } catch { preconditionFailure("\(error)") }
            }
        }
    }

    private var trees: Experiment {
        let shape = ECDSA.ExtensionShape.signing
        let zero = SystemRandom().publicBytes(count: shape.rows * ECDSA.seedSize)
        let one = SystemRandom().publicBytes(count: shape.rows * ECDSA.seedSize)
        let trees = ECDSA.GGMTrees(
            rows: shape.rows, session: transfer.session, sender: transfer.sender, receiver: transfer.receiver)
        let message = ECDSA.TreeSender(pads: ECDSA.SenderPads(zero: secret(zero), one: secret(one)), trees: trees)
            .message
        return Experiment(name: "punctured trees: receiver, by its choice", repetitions: 1, measurements: 4_000) {
            kind in
            let bits = kind.bytes(count: shape.columnSize)
            var chosen = zero
            bits.withUnsafeBytes { bits in
                for place in chosen.indices {
                    let instance = place / ECDSA.seedSize
                    let mask = 0 &- (bits[instance / 8] >> (instance % 8) & 1)
                    chosen[place] ^= (zero[place] ^ one[place]) & mask
                }
            }
            let choice = Box(bits)
            let pads = Box(secret(chosen))
            return {
                do throws(ThresholdError) {
                    use(
                        try ECDSA.TreeReceiver.coPaths(
                            from: message, pads: pads.value, choice: choice.value, trees: trees,
                            sender: transfer.sender))
                } catch { preconditionFailure("\(error)") }
            }
        }
    }

    private var multiplicationSender: Experiment {
        let size = ECDSA.Multiplication.transfers * ECDSA.Multiplication.width * 32
        let pads = Box(
            ECDSA.SenderPads(
                zero: SecretBytes(count: size, from: SystemRandom()),
                one: SecretBytes(count: size, from: SystemRandom())))
        let gadget = ECDSA.Multiplication.gadget(session: transfer.session)
        return Experiment(name: "multiplication: sender, by its numbers", repetitions: 1, measurements: 4_000) {
            kind in
            let numbers = (0..<3).map { _ in Box(SecretScalar<Secp256k1>(reducing: kind.bytes(count: 64))) }
            return {
                use(
                    ECDSA.MultiplicationSender(
                        numbers[0].value, numbers[1].value, check: numbers[2].value, pads: pads.value,
                        base: transfer.session, gadget: gadget))
            }
        }
    }

    private func secret(_ bytes: [UInt8]) -> SecretBytes {
        var bytes = bytes
        return SecretBytes(moving: &bytes)
    }
}

/// Returns the bits of a class for a request of 16 bytes, which the receiver of base transfers makes once, and random
/// bytes otherwise.
private struct ChosenBits: RandomSource {
    let kind: Experiment.Class

    func fill(_ buffer: UnsafeMutableRawBufferPointer) {
        guard buffer.count == ECDSA.baseTransfers / 8 else { return SystemRandom().fill(buffer) }
        kind.bytes(count: buffer.count).withUnsafeBytes { buffer.copyMemory(from: $0) }
    }
}
