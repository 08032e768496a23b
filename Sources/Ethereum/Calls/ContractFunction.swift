internal import Amounts
internal import Curves

/// A function of a contract that this wallet understands.
struct ContractFunction: Sendable {
    let name: String
    let types: [ABIType]
    /// The names of the arguments: one for each in order. The name of a tuple, or of a list of tuples, is followed by
    /// those of its elements.
    let labels: [String]
    private let read: @Sendable (inout Arguments) throws(EthereumError) -> ContractCall

    init(
        _ name: String, _ types: [ABIType], _ labels: String,
        _ read: @escaping @Sendable (inout Arguments) throws(EthereumError) -> ContractCall
    ) {
        self.name = name
        self.types = types
        self.labels = labels.split(separator: " ").map(String.init)
        self.read = read
    }

    /// The signature: `transfer(address,uint256)`.
    var signature: String { name + ABIType.tuple(types).description }

    func call(_ values: [ABIValue]) throws(EthereumError) -> ContractCall {
        var arguments = Arguments(values)
        return try read(&arguments)
    }

    /// Returns the selector: the first four bytes of the signature's hash.
    static func selector(_ signature: String) -> [UInt8] { Array(Keccak256.hash(Array(signature.utf8)).prefix(4)) }

    /// All functions by their selectors. Two equal ones would prevent the program's start.
    static let all = Dictionary(
        uniqueKeysWithValues: (tokens + permits + permit2).map { (selector($0.signature), $0) })

    private static let tokens = [
        ContractFunction("transfer", [.address, .uint256], "to amount") { (values) throws(EthereumError) in
            .transfer(to: values.address(), amount: values.uint())
        },
        ContractFunction("transferFrom", [.address, .address, .uint256], "from to amountOrID") {
            (values) throws(EthereumError) in
            .transferFrom(from: values.address(), to: values.address(), amountOrID: values.uint())
        },
        ContractFunction("approve", [.address, .uint256], "spender amountOrID") { (values) throws(EthereumError) in
            .approve(spender: values.address(), amountOrID: values.uint())
        },
        ContractFunction("increaseAllowance", [.address, .uint256], "spender addedAmount") {
            (values) throws(EthereumError) in
            .increaseAllowance(spender: values.address(), by: values.uint())
        },
        ContractFunction("decreaseAllowance", [.address, .uint256], "spender subtractedAmount") {
            (values) throws(EthereumError) in
            .decreaseAllowance(spender: values.address(), by: values.uint())
        },
        ContractFunction("setApprovalForAll", [.address, .bool], "operator approved") {
            (values) throws(EthereumError) in
            .setApprovalForAll(operator: values.address(), isApproved: values.bool())
        },
        ContractFunction("safeTransferFrom", [.address, .address, .uint256], "from to id") {
            (values) throws(EthereumError) in
            .safeTransferFrom(from: values.address(), to: values.address(), id: values.uint(), data: nil)
        },
        ContractFunction("safeTransferFrom", [.address, .address, .uint256, .bytes], "from to id data") {
            (values) throws(EthereumError) in
            .safeTransferFrom(from: values.address(), to: values.address(), id: values.uint(), data: values.bytes())
        },
        ContractFunction(
            "safeTransferFrom", [.address, .address, .uint256, .uint256, .bytes], "from to id amount data"
        ) {
            (values) throws(EthereumError) in
            let (from, to) = (values.address(), values.address())
            let item = ContractCall.Item(id: values.uint(), amount: values.uint())
            return .safeTransfers(from: from, to: to, items: [item], data: values.bytes(), isBatch: false)
        },
        ContractFunction(
            "safeBatchTransferFrom",
            [.address, .address, .array(.uint256, count: nil), .array(.uint256, count: nil), .bytes],
            "from to ids amounts data"
        ) { (values) throws(EthereumError) in
            let (from, to) = (values.address(), values.address())
            let (ids, amounts) = (values.array { $0.uint() }, values.array { $0.uint() })
            // A contract refuses lists of different lengths, and the user would read a wrong amount.
            guard ids.count == amounts.count else { throw .badABI(.wrongType) }
            let items = zip(ids, amounts).map { ContractCall.Item(id: $0, amount: $1) }
            return .safeTransfers(from: from, to: to, items: items, data: values.bytes(), isBatch: true)
        },
    ]

    private static let permits = [
        ContractFunction(
            "permit", [.address, .address, .uint256, .uint256, .uint(8), .fixedBytes(32), .fixedBytes(32)],
            "owner spender amount deadline v r s"
        ) { (values) throws(EthereumError) in
            let (owner, spender) = (values.address(), values.address())
            let grant = TokenPermit.Grant(token: nil, amount: Allowance(values.uint()), expiration: nil)
            return .permit(
                TokenPermit(
                    standard: .permit, owner: owner, spender: spender, grants: [grant], nonce: nil,
                    deadline: values.uint()))
        },
        ContractFunction(
            "permit", [.address, .address, .uint256, .uint256, .bool, .uint(8), .fixedBytes(32), .fixedBytes(32)],
            "holder spender nonce expiry allowed v r s"
        ) { (values) throws(EthereumError) in
            let (owner, spender) = (values.address(), values.address())
            let (nonce, expiry) = (values.uint(), values.uint())
            let grant = TokenPermit.Grant(
                token: nil, amount: Allowance(values.bool() ? .maximum : .zero), expiration: expiry)
            return .permit(
                TokenPermit(
                    standard: .dai, owner: owner, spender: spender, grants: [grant], nonce: nonce, deadline: nil))
        },
    ]
}
