internal import Amounts
internal import Texts
internal import Wallet

/// The terms of the allowances that a payload gives, in words: how long the spender may use each allowance, and the
/// deadline for submitting the signature.
struct AllowanceTerms {
    /// One clause for each allowance, in order.
    private let clauses: [String]

    init(_ payload: SigningPayload) { clauses = payload.allowanceTerms.map(Self.clause) }

    /// - Parameter index: the index of the allowance among all of them.
    subscript(index: Int) -> String { index < clauses.count ? clauses[index] : Self.endless }

    private static let endless = "at any time"

    private static func clause(_ term: AllowanceTerm) -> String {
        switch term {
        case .always(let deadline): endless + handedIn(by: deadline)
        case .until(let time, let deadline): (date(time).map { "until \($0)" } ?? endless) + handedIn(by: deadline)
        case .inOneBlock(let deadline): "only in the block that takes it in" + handedIn(by: deadline)
        case .once(let time): date(time).map { "once, until \($0)" } ?? "once"
        }
    }

    private static func handedIn(by deadline: UInt256?) -> String {
        date(deadline).map { ", if it is handed in by \($0)" } ?? ""
    }

    /// Returns a time as text, to the minute; nil without a time, or after the year 9999.
    private static func date(_ time: UInt256?) -> String? {
        guard let seconds = time?.uint64, seconds < 253_402_300_800 else { return nil }
        let text = seconds.timeText
        return text.prefix(10) + " " + text.dropFirst(11).prefix(5) + " UTC"
    }
}
