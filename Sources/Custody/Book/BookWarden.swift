public import Wallet

/// Lets be signed what the book admits. Made by ``WalletBook/warden(now:approvals:node:)``, for one session.
public struct BookWarden: SigningWarden {
    let book: WalletBook
    let now: UInt64
    let approvals: [Approval]
    let node: NodeView?

    public func admit(_ payload: SigningPayload, meaning intent: Intent) async throws(CustodyError) {
        try await book.admit(payload, meaning: intent, now: now, approvals: approvals, node: node)
    }
}
