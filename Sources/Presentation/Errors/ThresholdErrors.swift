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
                message: "a share is from an older version of fueki, and signs no ECDSA any more",
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
        case .keyGeneration(.suspect(let culprit)):
            Failure(
                code: .ceremony, name: "faulty_share",
                message: "the participant with \(culprit.shareName) dealt a wrong share"
            )
        case .sharing(.suspect(let culprit, _)):
            Failure(code: .ceremony, name: "faulty_share", message: "\(culprit.name) dealt wrongly")
        case .sharing(.faulty(let culprits)):
            Failure(
                code: .ceremony, name: "faulty_share",
                message: "a message from \(culprits.map(\.name).joined(separator: " and ")) does not verify")
        default: Failure(code: .ceremony, name: "ceremony", message: "the participants could not finish: \(self)")
        }
    }
}

extension Failure {
    /// Returns this failure as the statement of one participant, which the others do not confirm.
    func reported(by share: ShareLocation) -> Failure {
        var failure = self
        failure.message = "the participant with the \(share.name) share says: \(message)"
        return failure
    }
}

extension ParticipantIndex {
    /// The share's name in messages.
    fileprivate var shareName: String { "the \(ShareLocation(index: value).name) share" }
}

extension Sharing.Party {
    fileprivate var name: String {
        (receiver ?? dealer).map { "the participant with \($0.shareName)" } ?? "a participant"
    }
}
