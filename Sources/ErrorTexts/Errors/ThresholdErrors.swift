internal import Custody
package import Texts
package import Threshold

extension ThresholdError: Explained {
    package var failure: Failure {
        switch self {
        case .faulty(let culprits):
            Failure(
                code: .ceremony, name: "faulty_share",
                message: "a message from \(culprits.map(\.shareName).joined(separator: " and ")) does not verify")
        case .cheating(let peer):
            Failure(
                code: .ceremony, name: "cheating_share",
                message:
                    "\(peer.shareName) tried to cheat, and is banned from signing ECDSA with the share that noticed",
                hint: "find out who could use that share; 'fueki wallet refresh' makes new shares, and lifts the ban")
        case .banned(let peer):
            Failure(
                code: .refused, name: "banned_share",
                message:
                    "\(peer.shareName) cheated before, and is banned from signing ECDSA with one of the other shares",
                hint: "sign with other shares; 'fueki wallet refresh' makes new ones, and lifts the ban")
        case .outdatedShare:
            Failure(
                code: .badShare, name: "outdated_share",
                message: "a share is from an older version of fueki, and can no longer sign ECDSA",
                hint: "renew the shares with 'fueki wallet refresh'; keys and addresses stay")
        case .wrongEpoch(let expected, let got):
            Failure(
                code: .badShare, name: got < expected ? "old_share" : "newer_share",
                message: "shares from before and after a renewal do not work together "
                    + "(epoch \(got) where \(expected) was expected)",
                hint: "use the files that 'fueki wallet show' names")
        case .exhausted:
            Failure(
                code: .other, name: "secret_memory_exhausted",
                message: "this process has no memory left for another signing session or share",
                hint: "try again when other sessions have ended")
        case .sharing(.suspect(let culprit, _)):
            Failure(code: .ceremony, name: "faulty_share", message: "\(culprit.name) sent an invalid share")
        case .sharing(.faulty(let culprits)):
            Failure(
                code: .ceremony, name: "faulty_share",
                message: "a message from \(culprits.map(\.name).joined(separator: " and ")) does not verify")
        case .malformed, .invalidElement, .invalidParameters, .inconsistentKey, .wrongGroup, .duplicateParticipant,
            .unknownParticipant, .missingParticipant, .tooFewSigners, .tooManySigners, .ownCommitmentMismatch,
            .invalidTweak, .disagreement, .unauthentic, .wrongMessage, .failedSignature, .sharing, .pairSetup:
            Failure(code: .ceremony, name: "ceremony", message: "the participants could not finish: \(obstacle)")
        }
    }

    /// The clause about an error that has no code of its own.
    private var obstacle: String {
        switch self {
        case .malformed: "a message or a share has the wrong form"
        case .invalidElement: "a message has a number or a point that is not valid"
        case .invalidParameters: "a threshold, a number of participants or an index is out of range"
        case .inconsistentKey: "the shares do not belong to one key"
        case .wrongGroup: "a message is of another key"
        case .duplicateParticipant(let index): "\(index.shareName) takes part twice"
        case .unknownParticipant(let index): "\(index.shareName) is not a participant of this session"
        case .missingParticipant(let index): "\(index.shareName) sent nothing"
        case .tooFewSigners(let needed): "fewer than \(needed) shares were to sign"
        case .tooManySigners(let needed): "more than \(needed) shares were to sign"
        case .ownCommitmentMismatch: "the coordinator changed what a participant had sent"
        case .invalidTweak: "no valid key can be derived at this path"
        case .disagreement(let index): "\(index.shareName) takes part in another session"
        case .unauthentic(let index): "a message from \(index.shareName) was changed or forged"
        case .wrongMessage: "the message to sign is not the one that was agreed on"
        case .failedSignature: "the parts of the signature do not fit together"
        case .sharing(let fault): fault.clause
        case .pairSetup(let fault): fault.clause
        case .faulty, .cheating, .banned, .outdatedShare, .wrongEpoch, .exhausted: failure.message
        }
    }
}

extension Sharing.Fault {
    fileprivate var clause: String {
        switch self {
        case .invalidIntroduction(let role): "the introduction of \(role.shareName) is not valid"
        case .duplicateHostKey(let role, let other):
            "\(role.shareName) and \(other.shareName) have the same host key"
        case .wrongPurpose: "a message was made for a key of another purpose"
        case .wrongSession: "a message belongs to another session"
        case .wrongSender: "a message names another sender than the one that sent it"
        case .foreignHostKey: "a host key does not belong to this session"
        case .foreignIntroduction: "the session was made with an old or forged introduction"
        case .wrongRole: "a participant cannot deal a secret that it does not have"
        case .brokenRandomness: "the random source of this machine is broken"
        case .coordinator: "the coordinator broke the protocol"
        case .suspect(let party, _): "\(party.name) sent an invalid share"
        case .faulty: "a message does not verify"
        case .missing(let party): "\(party.name) sent nothing"
        case .unknown(let party): "\(party.name) is not a participant of this step"
        case .invalidCertificate: "the recovery data is not signed by all participants"
        }
    }
}

extension Sharing.Role {
    fileprivate var shareName: String {
        switch self {
        case .dealer(let index), .receiver(let index): index.shareName
        }
    }
}

extension ThresholdError.PairSetupFault {
    fileprivate var clause: String {
        switch self {
        case .invalidHostKey(let index): "the host key of \(index.shareName) is not valid"
        case .duplicateHostKey(let index, let other):
            "\(index.shareName) and \(other.shareName) have the same host key"
        case .foreignHostKey: "a host key does not belong to this session"
        case .mismatch(let index, let other):
            "\(index.shareName) and \(other.shareName) confirm different messages between them"
        case .coordinator: "the coordinator broke the protocol"
        }
    }
}

extension Failure {
    /// Returns this failure as the statement of one participant, which the others do not confirm.
    func reported(by share: ShareLocation) -> Failure {
        reworded { "the participant with the \(share.name) share says: \($0)" }
    }
}

extension ParticipantIndex {
    /// The name of the participant's share.
    fileprivate var name: String { ShareLocation(index: value).name }

    /// The share in messages.
    fileprivate var shareName: String { "the \(name) share" }
}

extension Sharing.Party {
    fileprivate var name: String {
        (receiver ?? dealer).map { "the participant with the \($0.name) share" } ?? "a participant"
    }
}
