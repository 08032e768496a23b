import Curves
import Secrets
import TestSupport
import Testing
import Threshold
import ThresholdTestSupport

@testable import ThresholdECDSA

@Suite("ECDSA: the set-up of all pairs")
struct PairSetupTests {
    func index(_ value: Int) -> ParticipantIndex { ParticipantIndex(unchecked: value) }

    @Test("All pairs match, and a threshold of the shares signs", arguments: [(2, 2), (2, 3), (3, 4)])
    func whole(threshold: Int, total: Int) throws {
        let run = try SetupRun(threshold, of: total)
        let shares = try run.run()
        let setups = shares.map { $0.borrow { $0.setup } }
        #expect(Set(setups).count == 1)
        for one in run.group.parameters.indices {
            for other in run.group.parameters.indices where one < other {
                let left = try shares[one.value - 1].borrow { try $0.pair(with: other) }
                let right = try shares[other.value - 1].borrow { try $0.pair(with: one) }
                #expect(left.peer == other && right.peer == one)
                #expect(reveal(left.seed) == reveal(right.seed))
                try checkDirection(sending: left, receiving: right)
                try checkDirection(sending: right, receiving: left)
            }
        }
        let key = DealtKey(group: run.group, shares: shares)
        let signers = Array(run.group.parameters.indices.suffix(threshold))
        let message = [UInt8](repeating: 3, count: 32)
        // The resulting signature was verified.
        _ = try SigningRun.sign(key, ECDSA.SigningRequest(signers: signers, message: message), random: run.random)
    }

    private func checkDirection(sending: ECDSA.Pair, receiving: ECDSA.Pair) throws {
        let session = [UInt8](repeating: 9, count: 32)
        let choice = SeededRandom(seed: 5).publicBytes(count: ECDSA.ExtensionShape.signing.rowSize)
        let receiver = ECDSA.ExtensionReceiver(
            choice: secret(choice), roots: receiving.roots, shape: .signing, session: session, sender: receiving.peer,
            receiver: sending.peer)
        let sender = try ECDSA.ExtensionSender(
            answering: receiver.message, coPaths: sending.coPaths, shape: .signing, session: session,
            sender: receiving.peer, receiver: sending.peer)
        let pads = sender.pads(width: 1)
        let (zero, one) = (reveal(pads.zero).chunks(32), reveal(pads.one).chunks(32))
        for (column, pad) in reveal(receiver.pads(width: 1)).chunks(32).enumerated() {
            #expect(pad == (bit(choice, column) == 0 ? zero : one)[column])
        }
    }

    @Test("The two directions of a pair are independent, and so are two pairs and two set-ups")
    func independent() throws {
        let run = try SetupRun(2, of: 3)
        var secrets: [[UInt8]] = []
        for shares in [try run.run(), try run.run()] {
            for one in run.group.parameters.indices {
                for other in run.group.parameters.indices where one != other {
                    let pair = try shares[one.value - 1].borrow { try $0.pair(with: other) }
                    secrets.append(reveal(pair.coPaths.correlation()))
                    secrets += pair.roots.seeds().flatMap { $0 }
                }
            }
        }
        #expect(Set(secrets).count == secrets.count)
        #expect(secrets.count == 12 * (1 + 64 * 16))
    }

    @Test("In each pair one is the base sender, and each participant is it towards half of the others")
    func roles() throws {
        for total in 2...15 {
            let run = try SetupRun(2, of: total)
            let indices = run.group.parameters.indices
            for one in indices {
                let count = indices.count { $0 != one && run.session.isBaseSender(one, towards: $0) }
                #expect(count == (total - 1) / 2 || count == total / 2)
                for other in indices where other != one {
                    #expect(
                        run.session.isBaseSender(one, towards: other) != run.session.isBaseSender(other, towards: one))
                }
            }
        }
    }

    @Test("The identity of the set-up covers all of its inputs")
    func identity() throws {
        let run = try SetupRun(2, of: 3)
        let keys = run.hostKeys.map { $0.key.publicKey.encoded }
        let identifier = [UInt8](repeating: 1, count: 32)
        let other = try SetupRun(2, of: 3, seed: 51)
        var hashes = [run.session.hash, other.session.hash]
        hashes.append(
            try ECDSA.PairSetup.Session(group: run.group, epoch: 1, identifier: identifier, hostKeys: keys).hash)
        hashes.append(
            try ECDSA.PairSetup.Session(
                group: run.group, epoch: 0, identifier: [UInt8](repeating: 2, count: 32), hostKeys: keys
            ).hash)
        hashes.append(
            try ECDSA.PairSetup.Session(group: run.group, epoch: 0, identifier: identifier, hostKeys: keys.reversed())
                .hash)
        hashes.append(
            try ECDSA.PairSetup.Session(group: other.group, epoch: 0, identifier: identifier, hostKeys: keys).hash)
        #expect(Set(hashes).count == hashes.count)
    }

    @Test("Messages have the documented sizes, and golden bytes")
    func golden() throws {
        let run = try SetupRun(2, of: 3)
        var sizes: [SetupRun.Step: Set<Int>] = [:]
        var hasher = SHA256()
        let shares = try run.run { step, _, _, message in
            sizes[step, default: []].insert(message.count)
            hasher.update(message)
        }
        #expect(
            sizes == [
                .first: [24_653], .second: [30_301], .third: [27_741], .fourth: [20_557], .confirmation: [164],
                .certificate: [419],
            ])
        #expect(hex(hasher.finalize()) == "f51385c62ef0cee4670d822e6ae72b055af26d2612ad18f05aa4236f8a85914a")
        #expect(
            hex(shares[0].borrow { $0.setup }) == "bcb2f9c0a7d7a4efb7314f27569519f6026ba705625db5eb2c5128b78afef24c")
        #expect(
            hex(SHA256.hash(shares[0].borrow { reveal($0.encoded()) }))
                == "4dabe53b13c64dd0c6fef7ff397cfa740b250575323f7df8b29543080392ec5d")
    }
}
