internal import Threshold

@testable internal import Ceremonies
@testable internal import Custody

extension FuzzEntry {
    /// The messages between participants.
    static let ceremonies: [FuzzEntry] = [
        FuzzEntry("ceremony-message", seeds: SeedCeremony.messages.map(\.encoded)) { input in
            let exchange = try Exchange(decoding: input, in: nil)
            _ = try? exchange.isAbort
            return try CeremonyMessage(decoding: input).encoded
        },
        FuzzEntry("message-list", seeds: [MessageList.encode([[1, 2], [], [3]])]) {
            MessageList.encode(try MessageList.decode($0, count: 3))
        },
        FuzzEntry("peer-messages", seeds: [MessageList.encode([[1, 2], [3], [], [4]])]) {
            let signers = [1, 3].map(ParticipantIndex.init(unchecked:))
            return MessageList.encode(
                try PeerMessages.decode($0, count: 2, of: signers).flatMap(PeerMessages.ordered))
        },
        FuzzEntry("signing-proposal", seeds: [SeedCeremony.proposal.encoded]) {
            try SigningProposal(decoding: $0).encoded
        },
        FuzzEntry("group-keys", seeds: [try SeedWallet.keys().encoded.encoded]) {
            try GroupKeys(decoding: try PerWalletKey(decoding: $0)).encoded.encoded
        },
        FuzzEntry("signing-counts", seeds: try SeedCeremony.counts.map(\.encoded)) {
            try SigningCounts(decoding: $0).encoded
        },
    ]
}

private enum SeedCeremony {
    private static let session = CeremonyID([UInt8](repeating: 0x5E, count: 32))

    /// A message of each kind.
    static let messages = CeremonyMessage.Kind.allCases.map { kind in
        CeremonyMessage(kind: kind, sender: 0, session: session, payload: kind == .abort ? [] : [0xAA, 0xBB, 0xCC])
    }

    static let proposal = SigningProposal(
        confirmed: [UInt8](repeating: 0xD1, count: 32), signers: [1, 3], payload: [0x70, 0x73])

    static var counts: [SigningCounts] {
        get throws {
            var counts = SigningCounts(unfinished: 256)
            counts.failed = 3
            counts.banned = [try ParticipantIndex(2), try ParticipantIndex(15)]
            return [SigningCounts(), counts]
        }
    }
}
