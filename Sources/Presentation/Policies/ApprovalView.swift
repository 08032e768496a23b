internal import Encoding
package import Texts
package import Wallet
package import WalletBooks

/// A proposal for an approver.
package struct ApprovalRequestView {
    private let intent: IntentView
    private let request: ApprovalRequest

    package init(_ request: ApprovalRequest) {
        self.request = request
        intent = IntentView(
            request.intent, request.decision, of: request.subject.work, accounts: request.subject.accounts,
            wallet: request.subject.name)
    }

    /// Returns the whole proposal and the wallet's first addresses. The approver can compare them: a file with false
    /// keys has other addresses.
    package func text(in width: Columns) -> StyledText {
        intent.text(of: request.subject.name, with: request.firstAddresses, in: width)
    }

    /// Returns the result of the approval.
    ///
    /// - Parameter file: the file of the approval; nil for standard output.
    package func approved(_ approval: Approval, in file: String?, output: String) -> ApprovalView {
        let id = Hex.encode(request.intent.digest.prefix(4))
        return ApprovalView(
            output: output, approver: Hex.encode(approval.approver), intent: intent,
            next: "next, where the wallet is: fueki pending sign \(request.subject.name) \(id) "
                + "--approval \(file ?? "FILE") -o FILE")
    }
}

/// A given approval.
package struct ApprovalView: ResultView {
    let output: String
    /// The approver's public key in hexadecimal.
    let approver: String
    let intent: IntentView
    /// A sentence with the next command.
    package let next: String

    enum CodingKeys: String, CodingKey { case output, approver, intent }

    package var text: String { "approved by \(approver)" }
}

/// An approver's key.
package struct ApproverKeyView: ResultView {
    /// The public key, 32 bytes in hexadecimal, as policies contain it.
    let public_key: String
    let file: String

    package init(publicKey: [UInt8], file: String) { (public_key, self.file) = (Hex.encode(publicKey), file) }

    package var text: String { public_key }
}
