import Secrets

@testable import Curves
@testable import Threshold
@testable import ThresholdECDSA

/// The set-up of a pair and its oblivious transfers. The secrets are what each side keeps from the other.
struct TransferOperations {
    private let session = SystemRandom().publicBytes(count: 32)
    private let sender = ParticipantIndex(unchecked: 1)
    private let receiver = ParticipantIndex(unchecked: 2)
    private let shape = ECDSA.ExtensionShape.signing

    var all: [Operation] {
        [
            Operation("base transfers: receiver", baseReceiver), Operation("base transfers: sender", baseSender),
            Operation("trees: sender", treeSender), Operation("trees: receiver", verdicts: 1, treeReceiver),
            Operation("extension: receiver", extensionReceiver),
            Operation("extension: sender", verdicts: 1, extensionSender),
            Operation("multiplication: sender", multiplicationSender),
            Operation("multiplication: receiver", verdicts: 1, multiplicationReceiver),
        ]
    }

    private var transfer: ECDSA.BaseTransfer {
        ECDSA.BaseTransfer(session: session, sender: sender, receiver: receiver)
    }

    private func baseReceiver() throws {
        let receiving = ECDSA.BaseReceiver(transfer: transfer, random: SecretRandom())
        Taint.publish(receiving.message)
        let sending = try ECDSA.BaseSender(answering: receiving.message, transfer: transfer, random: SystemRandom())
        use(try receiving.pads(answer: sending.message))
    }

    private func baseSender() throws {
        let message = ECDSA.BaseReceiver(transfer: transfer, random: SystemRandom()).message
        use(try ECDSA.BaseSender(answering: message, transfer: transfer, random: SecretRandom()))
    }

    private var trees: ECDSA.GGMTrees {
        ECDSA.GGMTrees(rows: shape.rows, session: session, sender: sender, receiver: receiver)
    }

    private func treeSender() {
        let size = shape.rows * ECDSA.seedSize
        use(ECDSA.TreeSender(pads: ECDSA.SenderPads(zero: .tainted(size), one: .tainted(size)), trees: trees))
    }

    private func treeReceiver() throws {
        let made = MadeTrees(trees)
        use(
            try ECDSA.TreeReceiver.coPaths(
                from: made.message, pads: .tainted(made.chosen), choice: .tainted(made.choice), trees: trees,
                sender: sender))
    }

    private func extensionReceiver() {
        let roots = ECDSA.TreeRoots(trees, .tainted(shape.trees * ECDSA.TreeRoots.treeSize))
        let receiving = extended(by: .tainted(shape.rowSize), roots)
        use(receiving.pads(width: 3))
    }

    private func extended(
        by choice: borrowing SecretBytes, _ roots: borrowing ECDSA.TreeRoots
    ) -> ECDSA.ExtensionReceiver {
        ECDSA.ExtensionReceiver(
            choice: choice, roots: roots, shape: shape, session: session, sender: sender, receiver: receiver)
    }

    private func extensionSender() throws {
        let made = MadeTrees(trees)
        let message = extended(by: SecretBytes(count: shape.rowSize, from: SystemRandom()), made.sender.roots).message
        let coPaths = try ECDSA.TreeReceiver.coPaths(
            from: made.message, pads: secret(made.chosen), choice: secret(made.choice), trees: trees, sender: sender)
        Taint.mark(coPaths.bytes)
        let sending = try ECDSA.ExtensionSender(
            answering: message, coPaths: coPaths, shape: shape, session: session, sender: sender, receiver: receiver)
        use(sending.pads(width: 3))
    }

    private let padsSize = ECDSA.Multiplication.transfers * ECDSA.Multiplication.width * 32

    private func multiplicationSender() {
        use(
            ECDSA.MultiplicationSender(
                SecretScalar(reducing: .tainted(64)), SecretScalar(reducing: .tainted(64)),
                check: SecretScalar(reducing: .tainted(64)),
                pads: ECDSA.SenderPads(zero: .tainted(padsSize), one: .tainted(padsSize)), base: session,
                gadget: ECDSA.Multiplication.gadget(session: session)))
    }

    private func multiplicationReceiver() throws {
        let zero = SystemRandom().publicBytes(count: padsSize)
        let gadget = ECDSA.Multiplication.gadget(session: session)
        let message = ECDSA.MultiplicationSender(
            SecretScalar(from: SystemRandom()), SecretScalar(from: SystemRandom()),
            check: SecretScalar(from: SystemRandom()),
            pads: ECDSA.SenderPads(
                zero: secret(zero), one: SecretBytes(count: padsSize, from: SystemRandom())),
            base: session, gadget: gadget
        ).message
        // All bits are 0, so all pads are those of 0.
        let choice = [UInt8](repeating: 0, count: ECDSA.Multiplication.transfers / 8)
        use(
            try ECDSA.MultiplicationReceiver(
                answering: message, from: sender, choice: .tainted(choice), pads: .tainted(zero), base: session,
                gadget: gadget))
    }

    private func secret(_ bytes: [UInt8]) -> SecretBytes {
        var bytes = bytes
        return SecretBytes(moving: &bytes)
    }
}

/// Trees before any part of them is marked as secret.
private struct MadeTrees: ~Copyable {
    let sender: ECDSA.TreeSender
    var message: [UInt8] { sender.message }
    let choice: [UInt8]
    /// The pads of the chosen side.
    let chosen: [UInt8]

    init(_ trees: ECDSA.GGMTrees) {
        let rows = trees.count * ECDSA.treeDepth
        let pads = (0..<2).map { _ in SystemRandom().publicBytes(count: rows * ECDSA.seedSize) }
        let choice = SystemRandom().publicBytes(count: rows / 8)
        var chosen: [UInt8] = []
        for row in 0..<rows {
            let bit = Int(choice[row / 8] >> (row % 8) & 1)
            chosen += pads[bit][(row * ECDSA.seedSize)..<((row + 1) * ECDSA.seedSize)]
        }
        self.chosen = chosen
        self.choice = choice
        var (zero, one) = (pads[0], pads[1])
        sender = ECDSA.TreeSender(
            pads: ECDSA.SenderPads(zero: SecretBytes(moving: &zero), one: SecretBytes(moving: &one)), trees: trees)
    }
}
