@testable import Ceremonies

/// Stands between a coordinator and a participant, and changes what goes through: a lying network, coordinator or participant,
/// according to whom one looks from.
actor MiddleMan: Participant {
    enum Direction: Sendable { case request, answer }

    /// One message on its way.
    struct Passage: Sendable {
        let direction: Direction
        /// 1 for the first request and its answer.
        let step: Int
        let bytes: [UInt8]
        /// What went in the same direction before.
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

    /// Changes nothing, and keeps what it sees.
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
    /// The same envelope with a changed payload, whose size is right.
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

    /// The same with other bytes in a place.
    func replacing(_ range: Range<Int>, with other: [UInt8]) -> [UInt8] {
        var bytes = self
        bytes.replaceSubrange(range.clamped(to: indices), with: other)
        return bytes
    }

    /// A ceremony message with a changed payload.
    func changingPayload(_ change: ([UInt8]) -> [UInt8]) -> [UInt8] {
        guard let message = try? CeremonyMessage(decoding: self) else { return self }
        return message.with(payload: change(message.payload)).encoded
    }
}
