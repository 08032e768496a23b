internal import Curves
internal import Threshold
internal import ThresholdECDSA

/// The coordinator's side of all ECDSA signatures of a transaction, one batch after the other: it passes on sealed
/// messages, and adds up the partial signatures.
struct ECDSASigning {
    let requests: [ECDSARequest]
    let group: GroupKey<Secp256k1>
    let signers: [ParticipantIndex]

    /// Returns the numbers of the signatures that are made together, from one on.
    func batch(from number: Int) -> Range<Int> {
        ECDSARequest.batch(from: number, of: requests.count, by: signers.count)
    }

    /// Makes and announces all signatures.
    ///
    /// - Parameter commitments: the nonce commitments to the first batch, by participant.
    /// - Returns: the verified signatures in compact form, and the errors of participants that do not accept those of
    ///   the last batch, after which nothing is left that could be stopped.
    /// - Throws: ``CeremonyError/threshold(_:)`` with the culprits if they are known; the errors of participants.
    func run(
        _ ceremony: Ceremony, commitments: [[[UInt8]]]
    ) async throws(CeremonyError) -> (signatures: [[UInt8]], warnings: [CeremonyError]) {
        var (signatures, warnings): ([[UInt8]], [CeremonyError]) = ([], [])
        var (batch, commitments) = (batch(from: 0), commitments)
        while !batch.isEmpty {
            let made = try await sign(batch, commitments, ceremony)
            signatures += made
            let announced = MessageList.encode(made)
            batch = self.batch(from: batch.upperBound)
            if batch.isEmpty {
                warnings = await ceremony.objections(.ecdsaSignatures, announced, expecting: .signaturesAccepted)
            } else {
                commitments = try MessageList.decode(
                    all: try await ceremony.ask(.ecdsaSignatures, announced, expecting: .signaturesAccepted),
                    count: batch.count)
            }
        }
        return (signatures, warnings)
    }

    /// Returns the verified signatures of one batch. The participants have not seen them.
    private func sign(
        _ batch: Range<Int>, _ commitments: [[[UInt8]]], _ ceremony: Ceremony
    ) async throws(CeremonyError) -> [[UInt8]] {
        try checkSizes(commitments, ECDSA.MessageSize.nonceCommitment)
        let first = (0..<batch.count).map { position in commitments.map { $0[position] } }
        let transfers = try await ceremony.ask(
            .nonceCommitments, MessageList.encode(first.flatMap(\.self)), expecting: .transfers)
        let multiplications = try await ceremony.ask(
            .receivedTransfers, payloads: try routed(transfers, of: batch.count, ECDSA.MessageSize.transfer),
            expecting: .multiplications)
        let answers = try await ceremony.ask(
            .receivedMultiplications,
            payloads: try routed(multiplications, of: batch.count, ECDSA.MessageSize.multiplication),
            expecting: .partialSignatures)
        let parts = try SchnorrSigning.parts(
            in: try MessageList.decode(all: answers, count: batch.count), from: ceremony.participants,
            ECDSA.PartialSignature.init(decoding:), by: \.index)

        return try inProtocol { () throws(ThresholdError) in
            var signatures: [[UInt8]] = []
            for (position, number) in batch.enumerated() {
                let agreed = try requests[number].agreed(by: signers)
                let messages = Dictionary(zip(signers, first[position])) { first, _ in first }
                let session = try ECDSA.sessionID(after: messages, of: agreed)
                signatures.append(
                    try ECDSA.combine(
                        parts.map { $0[position] }, of: agreed, in: session, message: requests[number].message,
                        for: group
                    ).signature.compact)
            }
            return signatures
        }
    }

    /// Returns the message for each signer, made of the others' answers.
    private func routed(
        _ answers: [[UInt8]], of count: Int, _ size: Int
    ) throws(CeremonyError) -> [[UInt8]] {
        let lists = try MessageList.decode(all: answers, count: count * (signers.count - 1))
        try checkSizes(lists, size)
        return signers.map { recipient in
            var received: [[UInt8]] = []
            for position in 0..<count {
                for (list, sender) in zip(lists, signers) where sender != recipient {
                    // A sender's list has no message to itself.
                    let place = signers.count(where: { $0 < recipient && $0 != sender })
                    received.append(list[position * (signers.count - 1) + place])
                }
            }
            return MessageList.encode(received)
        }
    }

    /// Checks messages before they are passed on: one of another size is its sender's fault, and could make the message
    /// to another participant too large.
    private func checkSizes(_ lists: [[[UInt8]]], _ size: Int) throws(CeremonyError) {
        for (list, sender) in zip(lists, signers) where !list.allSatisfy({ $0.count == size }) {
            throw .threshold(.faulty(culprits: [sender]))
        }
    }
}
