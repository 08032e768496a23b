internal import Ceremonies
package import Custody
internal import Encoding
package import SigningSession
package import Texts
internal import Wallet

extension ProposedSigning {
    /// The failure of a proposal that the policy does not allow now, with the next command.
    ///
    /// - Parameters:
    ///   - wallet: the wallet whose policy decided.
    ///   - local: the time zone of the person.
    package func forbidden(in wallet: WalletName, _ kept: KeptProposal, local: LocalTime) -> Failure {
        decision.failure(of: intent.digest, in: wallet, kept, local: local)
    }
}

extension Decision {
    /// The failure of a proposal that the policy does not allow now, with the next command.
    ///
    /// - Parameter digest: the digest of the proposal's intent.
    func failure(of digest: [UInt8], in wallet: WalletName, _ kept: KeptProposal, local: LocalTime) -> Failure {
        let failure = CeremonyError.forbidden(self).failure
        let place = "\(wallet) \(Hex.encode(digest.prefix(4)))"
        let next: String
        switch verdict {
        case .allowed: return failure
        case .denied:
            return failure.advising("'fueki policy show \(wallet)' prints the rules, which are tried in their order")
        case .notBefore(let time):
            next = "from \(local.zonedText(time)) on 'fueki pending sign \(place) -o FILE' signs it"
        case .needsApproval:
            next =
                "'fueki pending export \(place) -o FILE' writes what is to be approved, and "
                + "'fueki pending sign \(place) --approval FILE -o FILE' signs it then"
        }
        return switch kept {
        case .notKept: failure
        case .waits: failure.advising("it waits in the wallet's book: \(next)")
        case .failed(let error): failure.advising("it could not be kept until then: \(error.failure.message)")
        }
    }
}
