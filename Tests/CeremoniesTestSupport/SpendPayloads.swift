internal import Bitcoin
import Wallet

@testable import Ceremonies

extension PolicyContext {
    /// The context of a user without history and contacts.
    static let blank = PolicyContext(
        now: 0, history: [], known: [], chosen: [], proposed: nil, approvers: [], node: nil)
}

extension ProposedPayload {
    /// A Bitcoin transaction known only by its bytes.
    init(_ psbt: PSBT, from wallet: WalletKeys) throws(CeremonyError) {
        try self.init(.bitcoinTransaction(psbt), from: wallet)
    }

    /// A payload known only by its bytes.
    init(
        _ payload: SigningPayload, from wallet: WalletKeys, under policy: Policy = .standard
    ) throws(CeremonyError) {
        let work: SigningWork
        do { work = try SigningWork(of: payload, for: try wallet.accounts) } catch { throw .key(error) }
        self.init(work, from: wallet, under: policy, in: .blank)
    }
}

extension ConfirmedPayload {
    /// The transaction that was confirmed.
    var psbt: PSBT {
        guard case .bitcoinTransaction(let psbt) = work.payload else {
            preconditionFailure("it is no Bitcoin transaction")
        }
        return psbt
    }
}

extension SignedPayload {
    /// The transaction that was signed.
    var psbt: PSBT {
        guard case .bitcoinTransaction(let psbt) = product else { preconditionFailure("it is no Bitcoin transaction") }
        return psbt
    }
}

extension CeremonyError {
    /// A participant's answer to a transaction that it refuses.
    static func refused(_ refusals: [Refusal]) -> CeremonyError {
        .refused(refusals.map { Finding($0.name, $0.description, .refusal) })
    }
}
