internal import Amounts

/// The functions of Permit2, the contract to which users approve their tokens once for all applications.
extension ContractFunction {
    private static let details = ABIType.tuple([.address, .uint(160), .uint(48), .uint(48)])
    private static let permission = ABIType.tuple([.address, .uint256])
    private static let recipient = ABIType.tuple([.address, .uint256])
    private static let transfer = [ABIType.address, .address, .uint(160), .address]

    static let permit2 = allowances + [false, true].flatMap { permitTransfers(isBatch: $0) }

    private static let allowances = [
        ContractFunction(
            "approve", [.address, .address, .uint(160), .uint(48)], "token spender amount expiration"
        ) { (values) throws(EthereumError) in
            .permit2Approve(
                token: values.address(), spender: values.address(), amount: Allowance(values.uint(), bits: 160),
                expiration: values.uint())
        },
        ContractFunction(
            "permit", [.address, .tuple([details, .address, .uint256]), .bytes],
            "owner permit details token amount expiration nonce spender sigDeadline signature"
        ) { (values) throws(EthereumError) in
            let owner = values.address()
            return values.tuple { permit in
                let (nonce, grant) = permit.tuple { $0.details() }
                return .permit(permit.allowance(owner, [grant], nonce))
            }
        },
        ContractFunction(
            "permit", [.address, .tuple([.array(details, count: nil), .address, .uint256]), .bytes],
            "owner permit details token amount expiration nonce spender sigDeadline signature"
        ) { (values) throws(EthereumError) in
            let owner = values.address()
            return values.tuple { permit in
                let grants = permit.array { $0.tuple { $0.details().grant } }
                return .permit(permit.allowance(owner, grants, nil))
            }
        },
        ContractFunction("transferFrom", transfer, "from to amount token") { (values) throws(EthereumError) in
            .permit2Transfers([values.transfer()], isBatch: false)
        },
        ContractFunction("transferFrom", [.array(.tuple(transfer), count: nil)], "transfers from to amount token") {
            (values) throws(EthereumError) in
            .permit2Transfers(values.array { $0.tuple { $0.transfer() } }, isBatch: true)
        },
    ]

    /// Returns the functions without and with a witness, which is between the owner and the signature.
    private static func permitTransfers(isBatch: Bool) -> [ContractFunction] {
        let permitted = isBatch ? ABIType.array(permission, count: nil) : permission
        let recipients = isBatch ? ABIType.array(recipient, count: nil) : recipient
        let permit = ABIType.tuple([permitted, .uint256, .uint256])
        return [false, true].map { hasWitness in
            ContractFunction(
                hasWitness ? "permitWitnessTransferFrom" : "permitTransferFrom",
                [permit, recipients, .address] + (hasWitness ? [.fixedBytes(32), .string] : []) + [.bytes],
                "permit permitted token amount nonce deadline transferDetails to requestedAmount owner "
                    + (hasWitness ? "witness witnessTypeString signature" : "signature")
            ) { (values) throws(EthereumError) in
                let (grants, nonce, deadline) = values.tuple { permit in
                    let grants =
                        isBatch
                        ? permit.array { $0.tuple { $0.permission() } } : [permit.tuple { $0.permission() }]
                    return (grants, permit.uint(), permit.uint())
                }
                let recipients =
                    isBatch ? values.array { $0.tuple { $0.recipient() } } : [values.tuple { $0.recipient() }]
                guard recipients.count == grants.count else { throw .badABI(.wrongType) }
                return .permitTransfer(
                    TokenPermit(
                        standard: hasWitness ? .permit2WitnessTransfer : .permit2Transfer, owner: values.address(),
                        spender: nil, grants: grants, nonce: nonce, deadline: deadline), recipients)
            }
        }
    }
}

extension Arguments {
    fileprivate mutating func details() -> (nonce: UInt256, grant: TokenPermit.Grant) {
        let (token, amount, expiration) = (address(), uint(), uint())
        return (
            uint(), TokenPermit.Grant(token: token, amount: Allowance(amount, bits: 160), expiration: expiration)
        )
    }

    fileprivate mutating func permission() -> TokenPermit.Grant {
        TokenPermit.Grant(token: address(), amount: Allowance(uint()), expiration: nil)
    }

    fileprivate mutating func recipient() -> ContractCall.Recipient {
        ContractCall.Recipient(to: address(), amount: uint())
    }

    fileprivate mutating func transfer() -> ContractCall.Permit2Transfer {
        ContractCall.Permit2Transfer(from: address(), to: address(), amount: uint(), token: address())
    }

    /// Reads the values after the details: the spender, and the signature's deadline.
    fileprivate mutating func allowance(
        _ owner: EthereumAddress, _ grants: [TokenPermit.Grant], _ nonce: UInt256?
    ) -> TokenPermit {
        TokenPermit(
            standard: .permit2Allowance, owner: owner, spender: address(), grants: grants, nonce: nonce,
            deadline: uint())
    }
}
