internal import Amounts
internal import Ethereum
internal import Foundation
internal import Wallet

/// Until when somebody may use each allowance that a payload gives: an allowance lasts, and what is signed may have to be handed in
/// before a time.
struct AllowanceTerms {
    /// One for each allowance, in their order.
    private let clauses: [String]

    init(_ payload: SigningPayload) {
        switch payload {
        case .typedData(let data, _, _):
            if case .permit(let permit, _) = data.permission {
                clauses = permit.grants.map { Self.clause($0, of: permit) }
            } else {
                clauses = []
            }
        case .ethereumTransaction(let transaction, _):
            switch ContractCall(decoding: transaction.data) {
            case .permit2Approve(_, _, _, let expiration): clauses = [Self.end(ofAllowance: expiration)]
            // The transaction hands it in.
            case .permit(let permit) where permit.standard == .permit2Allowance:
                clauses = permit.grants.map { Self.end(ofAllowance: $0.expiration ?? .zero) }
            default: clauses = []
            }
        default: clauses = []
        }
    }

    /// - Parameter index: of the allowance, among all of them.
    subscript(index: Int) -> String { index < clauses.count ? clauses[index] : Self.endless }

    private static let endless = "at any time"

    /// What a signature gives that somebody else hands in.
    private static func clause(_ grant: TokenPermit.Grant, of permit: TokenPermit) -> String {
        switch permit.standard {
        case .permit: endless + handedIn(by: permit.deadline)
        // Zero is no end.
        case .dai: endless + handedIn(by: grant.expiration.flatMap { $0.isZero ? nil : $0 })
        case .permit2Allowance: end(ofAllowance: grant.expiration ?? .zero) + handedIn(by: permit.deadline)
        case .permit2Transfer, .permit2WitnessTransfer: date(permit.deadline).map { "once, until \($0)" } ?? "once"
        }
    }

    /// Of Permit2, where zero is the block that takes it in.
    private static func end(ofAllowance expiration: UInt256) -> String {
        expiration.isZero
            ? "only in the block that takes it in" : date(expiration).map { "until \($0)" } ?? endless
    }

    private static func handedIn(by deadline: UInt256?) -> String {
        date(deadline).map { ", if it is handed in by \($0)" } ?? ""
    }

    /// To the minute; nil where there is none, or none that anybody lives to see.
    private static func date(_ time: UInt256?) -> String? {
        guard let seconds = time?.uint64, seconds < 253_402_300_800 else { return nil }
        let text = Date(timeIntervalSince1970: TimeInterval(seconds)).ISO8601Format()
        return text.prefix(10) + " " + text.dropFirst(11).prefix(5) + " UTC"
    }
}
