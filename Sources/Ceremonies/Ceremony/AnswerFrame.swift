/// The state around a participant's steps in a ceremony whose steps are taken once, in one order: the session, the last
/// answer, and the next step.
struct AnswerFrame<Step: CeremonyStep> {
    /// The session; nil before the participant has answered a first request.
    fileprivate var session: CeremonyID?
    fileprivate var answered: AnsweredRequest?
    /// The step whose message the participant waits for.
    var step: Step

    init(first: Step) {
        step = first
    }

    /// Takes the step. If the step fails, the ceremony is over, since no step is taken twice.
    mutating func takeStep() {
        step = .finished
        answered = nil
    }
}

/// The steps of a participant, in their order.
protocol CeremonyStep: Equatable {
    /// The end: the ceremony failed, was given up, or its shares were taken.
    static var finished: Self { get }
    /// Whether the participant has the ceremony's result, which an abort does not take away.
    var isComplete: Bool { get }
}

/// A participant whose answers are in an ``AnswerFrame``.
protocol SteppingParticipant: Actor, Participant {
    associatedtype Step: CeremonyStep
    var frame: AnswerFrame<Step> { get set }

    /// Takes the step that the message is for, if the participant waits for this message and it parses.
    func reply(to exchange: Exchange) throws(CeremonyError) -> (kind: CeremonyMessage.Kind, payload: [UInt8])

    /// Wipes every secret of the ceremony.
    func wipe()
}

extension SteppingParticipant {
    /// Answers one message: the same bytes as before with the same answer, an abort by wiping, any other message with
    /// the next step. A step that fails after it was taken wipes the secrets of all keys.
    func framedAnswer(to message: [UInt8]) throws(CeremonyError) -> [UInt8] {
        if let answer = frame.answered?.again(to: message) { return answer }
        let exchange = try Exchange(decoding: message, in: frame.session)
        do throws(CeremonyError) {
            let reply = try exchange.isAbort ? giveUp() : reply(to: exchange)
            let answer = exchange.answer(reply.kind, reply.payload, by: index)
            frame.session = exchange.session
            frame.answered = AnsweredRequest(answer, to: message)
            return answer
        } catch {
            if frame.step == .finished { wipe() }
            throw error
        }
    }

    /// Wipes the secrets, unless there are shares already.
    private func giveUp() throws(CeremonyError) -> (kind: CeremonyMessage.Kind, payload: [UInt8]) {
        guard frame.session != nil, !frame.step.isComplete, frame.step != .finished else { throw .staleMessage }
        frame.takeStep()
        wipe()
        return (.aborted, [])
    }
}
