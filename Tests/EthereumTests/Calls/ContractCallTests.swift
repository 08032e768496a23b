internal import Amounts
import EthereumTestSupport
import TestSupport
import Testing

@testable import Ethereum

@Suite("Calls of contracts")
struct ContractCallTests {
    private static func data(_ signature: String, _ types: [ABIType], _ values: [ABIValue]) throws -> [UInt8] {
        #expect(ContractFunction("", types, "") { _ in .none }.signature == signature.drop { $0 != "(" })
        return ContractFunction.selector(signature) + (try ABI.encode(values, as: types))
    }

    private static func a(_ byte: UInt8) throws -> EthereumAddress { try KnownEthereum.account(byte) }
    private static func v(_ byte: UInt8) throws -> ABIValue { .address(try a(byte)) }

    /// Call data that eth-abi makes of known arguments, and each function's selector as in block explorers.
    @Test("each understood function has its selector")
    func selectors() {
        let known = [
            "a9059cbb", "23b872dd", "095ea7b3", "39509351", "a457c2d7", "42842e0e", "b88d4fde", "a22cb465", "f242432a",
            "2eb2c2d6", "d505accf", "8fcbaf0c", "87517c45", "2b67b570", "2a2d80d1", "36c78516", "0d58b1db", "30f28b7a",
            "edd9444b", "137c29fe", "fe8ec1a7",
        ]
        #expect(Set(ContractFunction.all.keys.map { hex($0) }) == Set(known))
        #expect(ContractFunction.all.allSatisfy { $0.key == ContractFunction.selector($0.value.signature) })
    }

    @Test("token transfers and approvals are read")
    func tokens() throws {
        let (to, from) = (try Self.a(1), try Self.a(2))
        let transfer = ContractCall.transferData(to: to, amount: 5)
        #expect(
            hex(transfer) == "a9059cbb" + hex([UInt8](repeating: 0, count: 12)) + hex(to.bytes) + hex(UInt256(5).bytes))
        #expect(ContractCall(decoding: transfer) == .transfer(to: to, amount: 5))
        let approve = ContractCall.approveData(spender: to, amount: .maximum)
        #expect(ContractCall(decoding: approve) == .approve(spender: to, amountOrID: .maximum))
        func read(_ signature: String, _ types: [ABIType], _ values: [ABIValue]) throws -> ContractCall {
            ContractCall(decoding: try Self.data(signature, types, values))
        }
        let three: [ABIType] = [.address, .address, .uint(256)]
        let pair = [try Self.v(2), try Self.v(1)]
        #expect(
            try read("transferFrom(address,address,uint256)", three, pair + [.uint(9)])
                == .transferFrom(from: from, to: to, amountOrID: 9))
        #expect(
            try read("increaseAllowance(address,uint256)", [.address, .uint(256)], [pair[1], .uint(9)])
                == .increaseAllowance(spender: to, by: 9))
        #expect(
            try read("decreaseAllowance(address,uint256)", [.address, .uint(256)], [pair[1], .uint(9)])
                == .decreaseAllowance(spender: to, by: 9))
        #expect(
            try read("setApprovalForAll(address,bool)", [.address, .bool], [pair[1], .bool(true)])
                == .setApprovalForAll(operator: to, isApproved: true))
        #expect(
            try read("safeTransferFrom(address,address,uint256)", three, pair + [.uint(9)])
                == .safeTransferFrom(from: from, to: to, id: 9, data: nil))
        #expect(
            try read(
                "safeTransferFrom(address,address,uint256,bytes)", three + [.bytes], pair + [.uint(9), .bytes([1])])
                == .safeTransferFrom(from: from, to: to, id: 9, data: [1]))
        #expect(
            try read(
                "safeTransferFrom(address,address,uint256,uint256,bytes)", three + [.uint(256), .bytes],
                pair + [.uint(9), .uint(3), .bytes([])])
                == .safeTransfers(from: from, to: to, items: [.init(id: 9, amount: 3)], data: [], isBatch: false))
        let list = ABIType.array(.uint(256), count: nil)
        let batch: [ABIType] = [.address, .address, list, list, .bytes]
        let name = "safeBatchTransferFrom(address,address,uint256[],uint256[],bytes)"
        #expect(
            try read(name, batch, pair + [.array([.uint(1), .uint(2)]), .array([.uint(3), .uint(4)]), .bytes([])])
                == .safeTransfers(
                    from: from, to: to, items: [.init(id: 1, amount: 3), .init(id: 2, amount: 4)], data: [],
                    isBatch: true))
        // Lists of different lengths would show one amount beside another collectible.
        #expect(
            try read(name, batch, pair + [.array([.uint(1)]), .array([]), .bytes([])])
                == .unknown(selector: hex("2eb2c2d6"), fault: .wrongType))
    }

    @Test("permits by signature are read from calls: EIP-2612 and DAI")
    func permits() throws {
        let pair = [try Self.v(1), try Self.v(2)]
        let signature: [ABIType] = [.uint(8), .fixedBytes(32), .fixedBytes(32)]
        let signed: [ABIValue] = [
            .uint(27), .bytes([UInt8](repeating: 1, count: 32)), .bytes([UInt8](repeating: 2, count: 32)),
        ]
        let permit = ContractCall(
            decoding: try Self.data(
                "permit(address,address,uint256,uint256,uint8,bytes32,bytes32)",
                [.address, .address, .uint(256), .uint(256)] + signature, pair + [.uint(7), .uint(99)] + signed))
        #expect(
            permit
                == .permit(
                    TokenPermit(
                        standard: .permit, owner: try Self.a(1), spender: try Self.a(2),
                        grants: [.init(token: nil, amount: Allowance(7), expiration: nil)], nonce: nil, deadline: 99)))
        let dai = ContractCall(
            decoding: try Self.data(
                "permit(address,address,uint256,uint256,bool,uint8,bytes32,bytes32)",
                [.address, .address, .uint(256), .uint(256), .bool] + signature,
                pair + [.uint(7), .uint(0), .bool(true)] + signed))
        guard case .permit(let value) = dai else { return #expect(Bool(false), "no permit") }
        #expect(value.standard == .dai && value.nonce == 7 && value.grants[0].amount.isUnlimited)
        #expect(value.grants[0].expiration == 0 && value.deadline == nil)
    }

    @Test("Permit2's calls are read, with one token or many, with a witness or without")
    func permit2() throws {
        let most = try UInt256(hexadecimal: "0x" + String(repeating: "f", count: 40))
        let details = ABIType.tuple([.address, .uint(160), .uint(48), .uint(48)])
        let detail = ABIValue.tuple([try Self.v(3), .uint(most), .uint(50), .uint(4)])
        let grant = TokenPermit.Grant(token: try Self.a(3), amount: Allowance(most, bits: 160), expiration: 50)
        #expect(grant.amount.isUnlimited && Allowance(.maximum).isUnlimited)
        let expected = { (nonce: UInt256?) in
            ContractCall.permit(
                TokenPermit(
                    standard: .permit2Allowance, owner: try Self.a(1), spender: try Self.a(2), grants: [grant],
                    nonce: nonce,
                    deadline: 60))
        }
        let single = try Self.data(
            "permit(address,((address,uint160,uint48,uint48),address,uint256),bytes)",
            [.address, .tuple([details, .address, .uint(256)]), .bytes],
            [try Self.v(1), .tuple([detail, try Self.v(2), .uint(60)]), .bytes([1])])
        #expect(ContractCall(decoding: single) == (try expected(4)))
        let batch = try Self.data(
            "permit(address,((address,uint160,uint48,uint48)[],address,uint256),bytes)",
            [.address, .tuple([.array(details, count: nil), .address, .uint(256)]), .bytes],
            [try Self.v(1), .tuple([.array([detail]), try Self.v(2), .uint(60)]), .bytes([1])])
        #expect(ContractCall(decoding: batch) == (try expected(nil)))
        let approve = try Self.data(
            "approve(address,address,uint160,uint48)", [.address, .address, .uint(160), .uint(48)],
            [try Self.v(3), try Self.v(2), .uint(5), .uint(50)])
        #expect(
            ContractCall(decoding: approve)
                == .permit2Approve(
                    token: try Self.a(3), spender: try Self.a(2), amount: Allowance(5, bits: 160), expiration: 50))
        let move: [ABIType] = [.address, .address, .uint(160), .address]
        let moved = [try Self.v(1), try Self.v(2), .uint(5), try Self.v(3)]
        let transfer = ContractCall.Permit2Transfer(
            from: try Self.a(1), to: try Self.a(2), amount: 5, token: try Self.a(3))
        #expect(
            ContractCall(decoding: try Self.data("transferFrom(address,address,uint160,address)", move, moved))
                == .permit2Transfers([transfer], isBatch: false))
        #expect(
            ContractCall(
                decoding: try Self.data(
                    "transferFrom((address,address,uint160,address)[])", [.array(.tuple(move), count: nil)],
                    [.array([.tuple(moved), .tuple(moved)])]))
                == .permit2Transfers([transfer, transfer], isBatch: true))

        let permission = ABIType.tuple([.address, .uint(256)])
        for isBatch in [false, true] {
            let list = { (type: ABIType) in isBatch ? ABIType.array(type, count: nil) : type }
            let wrap = { (value: ABIValue) in isBatch ? ABIValue.array([value]) : value }
            let brackets = isBatch ? "[]" : ""
            for hasWitness in [false, true] {
                let name = hasWitness ? "permitWitnessTransferFrom" : "permitTransferFrom"
                let witness: [ABIType] = hasWitness ? [.fixedBytes(32), .string] : []
                let witnessed: [ABIValue] = hasWitness ? [.bytes([UInt8](repeating: 1, count: 32)), .string("X")] : []
                let signature =
                    "\(name)(((address,uint256)\(brackets),uint256,uint256),(address,uint256)\(brackets),address,\(hasWitness ? "bytes32,string," : "")bytes)"
                let types: [ABIType] =
                    [.tuple([list(permission), .uint(256), .uint(256)]), list(permission), .address] + witness + [
                        .bytes
                    ]
                func call(_ recipients: ABIValue) throws -> ContractCall {
                    ContractCall(
                        decoding: try Self.data(
                            signature, types,
                            [
                                .tuple([wrap(.tuple([try Self.v(3), .uint(9)])), .uint(4), .uint(60)]), recipients,
                                try Self.v(1),
                            ] + witnessed + [.bytes([1])]))
                }
                let permit = TokenPermit(
                    standard: hasWitness ? .permit2WitnessTransfer : .permit2Transfer, owner: try Self.a(1),
                    spender: nil,
                    grants: [.init(token: try Self.a(3), amount: Allowance(9), expiration: nil)], nonce: 4, deadline: 60
                )
                #expect(
                    try call(wrap(.tuple([try Self.v(2), .uint(8)])))
                        == .permitTransfer(permit, [.init(to: try Self.a(2), amount: 8)]))
                if isBatch {
                    #expect(
                        try call(.array([]))
                            == .unknown(selector: ContractFunction.selector(signature), fault: .wrongType))
                }
            }
        }
    }

    @Test("other calls are unknown, and so are known functions with other arguments")
    func unknown() {
        #expect(ContractCall(decoding: []) == .none)
        #expect(ContractCall(decoding: [1]) == .unknown(selector: [1], fault: nil))
        #expect(ContractCall(decoding: hex("deadbeef00")) == .unknown(selector: hex("deadbeef"), fault: nil))
        let transfer = ContractCall.transferData(to: .zero, amount: 1)
        #expect(
            ContractCall(decoding: transfer + [0]) == .unknown(selector: hex("a9059cbb"), fault: .leftOver(count: 1)))
        #expect(ContractCall(decoding: transfer.dropLast()) == .unknown(selector: hex("a9059cbb"), fault: .truncated))
        var dirty = transfer
        dirty[4] = 1
        #expect(ContractCall(decoding: dirty) == .unknown(selector: hex("a9059cbb"), fault: .dirty))
    }

    @Test("mutated data are unknown, or read without a trap")
    func fuzz() throws {
        let list = ABIType.array(.uint(256), count: nil)
        let seeds = try [
            ContractCall.transferData(to: .zero, amount: 1),
            Self.data(
                "safeBatchTransferFrom(address,address,uint256[],uint256[],bytes)",
                [.address, .address, list, list, .bytes],
                [Self.v(1), Self.v(2), .array([.uint(1)]), .array([.uint(1)]), .bytes([])]),
        ]
        // Every known function gets arguments of some kind.
        let all = seeds + ContractFunction.all.keys.map { $0 + [UInt8](repeating: 0, count: 320) }
        Fuzz.mutations(of: all, iterations: 10_000) { _ = ContractCall(decoding: $0) }
    }
}

@Suite("Permissions in typed data")
struct SignedPermissionTests {
    private func document(
        _ types: String, _ primary: String, _ message: String,
        domain: String = #""name":"d","verifyingContract":"0x1111111111111111111111111111111111111111""#
    ) -> String {
        let fields =
            domain.contains("verifying")
            ? #"{"name":"name","type":"string"},{"name":"verifyingContract","type":"address"}"#
            : #"{"name":"name","type":"string"}"#
        return
            #"{"types":{"EIP712Domain":[\#(fields)],\#(types)},"primaryType":"\#(primary)","domain":{\#(domain)},"message":{\#(message)}}"#
    }

    private func fields(_ list: String) -> String {
        list.split(separator: ",").map {
            let parts = $0.split(separator: " ")
            return #"{"name":"\#(parts[1])","type":"\#(parts[0])"}"#
        }.joined(separator: ",")
    }

    private let a2 = #""0x2222222222222222222222222222222222222222""#
    private let a3 = #""0x3333333333333333333333333333333333333333""#

    private func permit(_ text: String) throws -> TokenPermit? {
        guard case .permit(let permit, let contract)? = try KnownTypedData.read(text).permission else { return nil }
        #expect(contract == (try KnownEthereum.account(0x11)))
        return permit
    }

    @Test("EIP-2612 and DAI: the spender and the amount of the token that checks the signature are read")
    func permits() throws {
        let eip2612 =
            #""Permit":[\#(fields("address owner,address spender,uint256 value,uint256 nonce,uint256 deadline"))]"#
        let message = #""owner":\#(a2),"spender":\#(a3),"value":"7","nonce":0,"deadline":99"#
        let read = try permit(document(eip2612, "Permit", message))
        let grant = TokenPermit.Grant(token: try KnownEthereum.account(0x11), amount: Allowance(7), expiration: nil)
        #expect(
            read
                == TokenPermit(
                    standard: .permit, owner: try KnownEthereum.account(0x22), spender: try KnownEthereum.account(0x33),
                    grants: [grant], nonce: 0, deadline: 99))
        // Without the contract the token is unknown.
        #expect(try KnownTypedData.read(document(eip2612, "Permit", message, domain: #""name":"d""#)).permission == nil)
        // One type differs: nothing is known of it.
        let other = eip2612.replacing(#""value","type":"uint256""#, with: #""value","type":"uint128""#)
        #expect(try KnownTypedData.read(document(other, "Permit", message)).permission == nil)
        let dai = #""Permit":[\#(fields("address holder,address spender,uint256 nonce,uint256 expiry,bool allowed"))]"#
        for isAllowed in [true, false] {
            let value = try permit(
                document(
                    dai, "Permit", #""holder":\#(a2),"spender":\#(a3),"nonce":1,"expiry":0,"allowed":\#(isAllowed)"#))
            #expect(
                value?.standard == .dai && value?.grants[0].amount.isUnlimited == isAllowed && value?.deadline == nil)
        }
        #expect(try KnownTypedData.read(KnownTypedData.mail).permission == nil)
    }

    @Test("Permit2: allowances and transfers, one or many, with a witness or without")
    func permit2() throws {
        let details = #""PermitDetails":[\#(fields("address token,uint160 amount,uint48 expiration,uint48 nonce"))]"#
        let detail = #"{"token":\#(a3),"amount":5,"expiration":50,"nonce":4}"#
        for isBatch in [false, true] {
            let name = isBatch ? "PermitBatch" : "PermitSingle"
            let types =
                #""\#(name)":[\#(fields("PermitDetails\(isBatch ? "[]" : "") details,address spender,uint256 sigDeadline"))],\#(details)"#
            let value = try permit(
                document(
                    types, name,
                    #""details":\#(isBatch ? "[\(detail),\(detail)]" : detail),"spender":\#(a2),"sigDeadline":60"#))
            #expect(try value?.standard == .permit2Allowance && value?.spender == KnownEthereum.account(0x22))
            #expect(
                value?.grants.count == (isBatch ? 2 : 1) && value?.deadline == 60 && value?.nonce == (isBatch ? nil : 4)
            )
            #expect(
                value?.grants[0]
                    == TokenPermit.Grant(
                        token: try KnownEthereum.account(0x33), amount: Allowance(5, bits: 160), expiration: 50))

            let permission = #""TokenPermissions":[\#(fields("address token,uint256 amount"))]"#
            let permitted = #"{"token":\#(a3),"amount":5}"#
            for witness in ["", "Witness"] {
                let name = isBatch ? "PermitBatch\(witness)TransferFrom" : "Permit\(witness)TransferFrom"
                let members =
                    "TokenPermissions\(isBatch ? "[]" : "") permitted,address spender,uint256 nonce,uint256 deadline"
                let extra = witness.isEmpty ? "" : ",Order witness"
                let order = witness.isEmpty ? "" : #","Order":[\#(fields("uint256 x"))]"#
                let message =
                    #""permitted":\#(isBatch ? "[\(permitted)]" : permitted),"spender":\#(a2),"nonce":4,"deadline":60"#
                    + (witness.isEmpty ? "" : #","witness":{"x":1}"#)
                let types = #""\#(name)":[\#(fields(members + extra))],\#(permission)\#(order)"#
                let value = try permit(document(types, name, message))
                #expect(value?.standard == (witness.isEmpty ? .permit2Transfer : .permit2WitnessTransfer))
                #expect(value?.nonce == 4 && value?.deadline == 60 && value?.grants[0].amount == Allowance(5))
            }
        }
    }

    @Test("a transaction of a Safe is read, with its inner call")
    func safe() throws {
        let members =
            "address to,uint256 value,bytes data,uint8 operation,uint256 safeTxGas,uint256 baseGas,uint256 gasPrice,address gasToken,address refundReceiver,uint256 nonce"
        let data = hex(ContractCall.transferData(to: try KnownEthereum.account(0x22), amount: 3))
        for (number, operation) in [(0, SafeTransaction.Operation.call), (1, .delegateCall), (2, .unknown(2))] {
            let message =
                #""to":\#(a3),"value":1,"data":"0x\#(data)","operation":\#(number),"safeTxGas":0,"baseGas":0,"gasPrice":0,"gasToken":\#(a2),"refundReceiver":\#(a2),"nonce":8"#
            let read = try KnownTypedData.read(document(#""SafeTx":[\#(fields(members))]"#, "SafeTx", message))
            guard case .safe(let safe)? = read.permission else { return #expect(Bool(false), "no Safe") }
            #expect(
                try safe.safe == KnownEthereum.account(0x11) && safe.operation == operation && safe.chainID == nil)
            #expect(
                try safe.call == .transfer(to: KnownEthereum.account(0x22), amount: 3) && safe.nonce == 8
                    && safe.value == Wei(1))
        }
    }
}
