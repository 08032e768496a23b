public import Bitcoin
internal import Ethereum
public import HDKeys

/// The intent of a payload, and the signatures that it needs: the proposer and each participant compute the same.
public struct SigningWork: Equatable, Sendable {
    /// The payload to be signed.
    public let payload: SigningPayload
    /// The intent: the effects of signing the payload.
    public let intent: Intent
    /// The signatures, in the order of the payload. Empty if anything is refused. A file has none: its two
    /// Ed25519 signatures follow from the payload, the second one from the first.
    public let requests: [SignatureRequest]
    /// The details of a Bitcoin transaction.
    public let spend: SpendSummary?

    private init(
        _ payload: SigningPayload, _ intent: Intent, _ requests: [SignatureRequest], spend: SpendSummary? = nil
    ) {
        self.payload = payload
        self.intent = intent
        self.requests = intent.refusals.isEmpty ? requests : []
        self.spend = spend
    }

    /// Reads a payload for the wallet with these accounts.
    ///
    /// - Throws: `HDKeyError.badPath` or `HDKeyError.badKey` for an account that the wallet does not have.
    public init(of payload: SigningPayload, for accounts: Accounts) throws(HDKeyError) {
        switch payload {
        case .bitcoinTransaction(let psbt):
            let summary = SpendSummary(of: psbt, for: try Ownership(of: accounts.bitcoin))
            self.init(
                payload, Intent(summary),
                summary.signingRequests.map { SignatureRequest(message: $0.message, key: SigningKey($0.key)) },
                spend: summary)
        case .ethereumTransaction(let transaction, let account):
            let key = try accounts.ethereumKey(at: account)
            self.init(
                payload, Intent(transaction, from: key.address),
                [SignatureRequest(message: transaction.signingHash, key: key)])
        case .personalMessage(let message, let account):
            let key = try accounts.ethereumKey(at: account)
            self.init(
                payload, Intent(message, by: key.address), [SignatureRequest(message: message.hash, key: key)])
        case .typedData(let data, let document, let account):
            let key = try accounts.ethereumKey(at: account)
            self.init(
                payload, Intent(data, document: document, by: key.address, network: accounts.network),
                [SignatureRequest(message: data.hash, key: key)])
        case .bitcoinMessage(let message, let address):
            let message = MessageToSign(message, by: try accounts.bitcoin.key(of: address))
            self.init(
                payload, Intent(message, on: accounts.network),
                [SignatureRequest(message: message.signingRequest.message, key: SigningKey(message.key))])
        case .file(let file): self.init(payload, Intent(file), [])
        }
    }
}
