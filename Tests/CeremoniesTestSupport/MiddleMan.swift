@testable import Ceremonies

/// A relay between a coordinator and a participant that changes messages: it plays a lying network, coordinator or
/// participant.
actor MiddleMan: Participant {
    enum Direction: Sendable { case request, answer }

    /// A message in transit.
    struct Passage: Sendable {
        let direction: Direction
        /// The number of the request and its answer, from 1.
        let step: Int
        let bytes: [UInt8]
        /// The earlier messages in the same direction.
        let earlier: [[UInt8]]
    }

    nonisolated let index: Int
    private let participant: any Participant
    private let change: @Sendable (Passage) -> [UInt8]
    private(set) var requests: [[UInt8]] = []
    private(set) var answers: [[UInt8]] = []

    init(_ participant: any Participant, posingAs index: Int? = nil, _ change: @escaping @Sendable (Passage) -> [UInt8])
    {
        self.index = index ?? participant.index
        self.participant = participant
        self.change = change
    }

    /// Changes nothing, and records the messages.
    init(listeningTo participant: any Participant) { self.init(participant) { $0.bytes } }

    func answer(_ message: [UInt8]) async throws(CeremonyError) -> [UInt8] {
        let request = change(
            Passage(direction: .request, step: requests.count + 1, bytes: message, earlier: requests))
        requests.append(message)
        let answer = try await participant.answer(request)
        let changed = change(
            Passage(direction: .answer, step: answers.count + 1, bytes: answer, earlier: answers))
        answers.append(answer)
        return changed
    }
}

extension CeremonyMessage {
    /// Returns the envelope with a changed payload, and a matching size.
    func with(payload: [UInt8]) -> CeremonyMessage {
        CeremonyMessage(kind: kind, sender: sender, session: session, payload: payload)
    }
}

extension [UInt8] {
    func flipping(_ position: Int, by bit: UInt8 = 1) -> [UInt8] {
        var bytes = self
        guard let index = indices.dropFirst(position).first else { return bytes }
        bytes[index] ^= bit
        return bytes
    }

    /// Returns the message with other bytes at a position.
    func replacing(_ range: Range<Int>, with other: [UInt8]) -> [UInt8] {
        var bytes = self
        bytes.replaceSubrange(range.clamped(to: indices), with: other)
        return bytes
    }

    /// Returns a ceremony message with a changed payload.
    func changingPayload(_ change: ([UInt8]) -> [UInt8]) -> [UInt8] {
        guard let message = try? CeremonyMessage(decoding: self) else { return self }
        return message.with(payload: change(message.payload)).encoded
    }
}
