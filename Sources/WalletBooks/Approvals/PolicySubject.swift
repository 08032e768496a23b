public import Custody
internal import HDKeys
public import Wallet

/// The question to a policy: the work of signing a payload, and the accounts whose keys sign it.
public struct PolicySubject: Sendable {
    /// The work, with its intent.
    public let work: SigningWork
    /// The accounts of the keys.
    public let accounts: Accounts
    /// The name of the wallet.
    public let name: WalletName
    /// The wallet; nil if only the proposal's file is known.
    public let wallet: WalletRecord?

    /// Creates the question about a proposal with the keys in its file, for an approver whose machine does not have the
    /// wallet.
    ///
    /// - Throws: `CustodyError.badProposal`, `CustodyError.wallet(_:)`.
    public init(_ proposal: ProposalFile) throws(CustodyError) {
        accounts = try proposal.accounts
        do throws(HDKeyError) { work = try SigningWork(of: proposal.payload, for: accounts) } catch {
            throw .wallet(.key(error))
        }
        name = proposal.wallet
        wallet = nil
    }

    /// Chooses the keys that would sign the payload of a file. A proposal that no wallet is needed for is read with the
    /// keys in its file, as an approver reads it.
    ///
    /// - Parameters:
    ///   - needsWallet: whether the wallet's book is to be asked.
    ///   - name: the wallet, if the user named it.
    ///   - account: the account on Ethereum, if the user named it.
    ///   - searched: the number of accounts that are searched for the sender of a signed transaction.
    /// - Throws: ``WalletChoiceFault``.
    public init(
        of file: PayloadFile, in home: WalletHome, named name: WalletName?, account: UInt32?,
        searching searched: UInt32, needsWallet: Bool
    ) throws(WalletChoiceFault) {
        if case .proposal(let proposal) = file, name == nil, !needsWallet {
            do { self = try PolicySubject(proposal) } catch { throw .custody(error) }
        } else {
            let choice = try WalletChoice(for: file, in: home, named: name, account: account, searching: searched)
            do { self = try PolicySubject(choice) } catch { throw .custody(error) }
        }
    }

    /// Creates the question about a payload of a wallet on this machine.
    ///
    /// - Throws: `CustodyError.wallet(_:)` for an account that the wallet does not have.
    public init(_ choice: WalletChoice) throws(CustodyError) {
        work = try choice.wallet.work(of: choice.payload)
        accounts = try choice.wallet.accounts
        name = choice.wallet.name
        wallet = choice.wallet
    }

    /// Returns the context without earlier signatures and without known addresses.
    ///
    /// - Parameters:
    ///   - policy: the policy whose approvers count.
    ///   - now: seconds since 1970.
    public func blankContext(under policy: Policy, approvals: [Approval], now: UInt64) -> PolicyContext {
        PolicyContext(
            now: now, history: [], known: nil, chosen: [], proposed: nil,
            approvers: policy.approvers(of: work.intent.digest, in: approvals), node: nil)
    }

    /// Returns the context of a wallet's book.
    ///
    /// - Parameters:
    ///   - policy: the policy that decides, in place of the book's own.
    ///   - now: seconds since 1970.
    /// - Returns: the context, and the policy that decides.
    /// - Throws: as ``WalletBook/policyContext(for:digest:in:)``.
    public func context(
        in book: WalletBook, under policy: Policy?, approvals: [Approval], now: UInt64
    ) async throws(CustodyError) -> (policy: Policy, context: PolicyContext) {
        let digest = work.intent.digest
        let found = try await book.policyContext(
            for: work.payload, digest: digest, in: SigningContext(now: now, approvals: approvals))
        guard let policy else { return (try await book.policy(), found) }
        return (
            policy,
            PolicyContext(
                now: now, history: found.history, known: found.known, chosen: found.chosen, proposed: found.proposed,
                approvers: policy.approvers(of: digest, in: approvals), node: nil)
        )
    }
}
