internal import Ceremonies
internal import Custody
internal import Encoding
internal import Payments
internal import Texts
internal import Wallet

extension ProposedSigning {
    /// The failure of a proposal that the policy does not allow now, with the next command.
    ///
    /// - Parameters:
    ///   - wallet: the wallet whose policy decided.
    ///   - local: the time zone of the person.
    func forbidden(in wallet: WalletName, _ kept: KeptProposal, local: LocalTime) -> Failure {
        var failure = CeremonyError.forbidden(decision).failure
        let place = "\(wallet) \(Hex.encode(intent.digest.prefix(4)))"
        let next: String
        switch decision.verdict {
        case .allowed: return failure
        case .denied:
            failure.hint = "'fueki policy show \(wallet)' prints the rules, which are tried in their order"
            return failure
        case .notBefore(let time):
            next = "from \(local.zonedText(time)) on 'fueki pending sign \(place) -o FILE' signs it"
        case .needsApproval:
            next =
                "'fueki pending export \(place) -o FILE' writes what is to be approved, and "
                + "'fueki pending sign \(place) --approval FILE -o FILE' signs it then"
        }
        switch kept {
        case .notKept: break
        case .waits: failure.hint = "it waits in the wallet's book: \(next)"
        case .failed(let error): failure.hint = "it could not be kept until then: \(error.failure.message)"
        }
        return failure
    }
}
