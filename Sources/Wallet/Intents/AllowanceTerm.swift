public import Amounts
internal import Ethereum

/// The term of an allowance that a payload gives: when it can be used. Times are seconds since 1970.
public enum AllowanceTerm: Equatable, Sendable {
    /// At any time after the signature was submitted to the chain; the deadline for that is nil without one.
    case always(handedInBy: UInt256?)
    /// Until this time, after the signature was submitted to the chain; the deadline for that is nil without one.
    case until(UInt256, handedInBy: UInt256?)
    /// Only in the block in which the signature is submitted; the deadline for that is nil without one.
    case inOneBlock(handedInBy: UInt256?)
    /// For one transfer, until the deadline; nil without one.
    case once(until: UInt256?)
}

extension SigningPayload {
    /// The terms of the allowances that the payload gives, in their order. An allowance without an entry can be used at
    /// any time.
    public var allowanceTerms: [AllowanceTerm] {
        switch self {
        case .typedData(let data, _, _):
            guard case .permit(let permit, _) = data.permission else { return [] }
            return permit.grants.map { Self.term(of: $0, in: permit) }
        case .ethereumTransaction(let transaction, _):
            switch ContractCall(decoding: transaction.data) {
            case .permit2Approve(_, _, _, let expiration): return [Self.term(until: expiration, handedInBy: nil)]
            // The transaction itself submits the permit.
            case .permit(let permit) where permit.standard == .permit2Allowance:
                return permit.grants.map { Self.term(until: $0.expiration ?? .zero, handedInBy: nil) }
            default: return []
            }
        default: return []
        }
    }

    /// Returns the term of a permit, which another party submits.
    private static func term(of grant: TokenPermit.Grant, in permit: TokenPermit) -> AllowanceTerm {
        switch permit.standard {
        case .permit: .always(handedInBy: permit.deadline)
        // Zero means that it never expires.
        case .dai: .always(handedInBy: grant.expiration.flatMap { $0.isZero ? nil : $0 })
        case .permit2Allowance: term(until: grant.expiration ?? .zero, handedInBy: permit.deadline)
        case .permit2Transfer, .permit2WitnessTransfer: .once(until: permit.deadline)
        }
    }

    /// Returns the term of an allowance of Permit2, where zero means only in the block in which it is submitted.
    private static func term(until expiration: UInt256, handedInBy deadline: UInt256?) -> AllowanceTerm {
        expiration.isZero ? .inOneBlock(handedInBy: deadline) : .until(expiration, handedInBy: deadline)
    }
}
