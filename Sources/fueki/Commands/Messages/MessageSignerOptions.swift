internal import ArgumentParser
internal import Bitcoin
internal import Custody
internal import Ethereum
internal import HDKeys
internal import Payments
internal import Terminal
internal import Wallet

/// Which of a wallet's addresses stands for a message.
struct MessageSignerOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The address that signs: one of the first \(BitcoinLimits.scannedAddresses) of each kind, or of the first "
                + "\(PaymentLimits.accounts) accounts.",
            valueName: "address"))
    var address: String?

    @Option(help: "The kind of Bitcoin address.")
    var type = WalletAddress.Kind.taproot

    @Option(help: ArgumentHelp("Which Bitcoin address, from 0.", valueName: "number"))
    var index: UInt32 = 0

    @Option(help: ArgumentHelp("Which account on Ethereum, from 0.", valueName: "number"))
    var account: UInt32 = 0

    func validate() throws {
        guard index < 1 << 31, account < 1 << 31 else {
            throw ValidationError("--index and --account are at most \(Int32.max)")
        }
    }

    /// Whether the address that is named is one of Ethereum.
    var isOfEthereum: Bool { address?.lowercased().hasPrefix("0x") == true }

    func bitcoin(of wallet: WalletRecord) throws(Failure) -> AddressLabel {
        let kind: AddressLabel.Kind
        switch type {
        case .taproot: kind = .taproot
        case .segwit: kind = .segwit
        case .ethereum: throw .usage("--type is of Bitcoin; an account of Ethereum signs with --chain ethereum")
        }
        guard let address else {
            return try attempt { () throws(HDKeyError) in
                AddressLabel(kind, at: try AddressPath(.receive, index: index))
            }
        }
        let script = try attemptAddress { () throws(BitcoinError) in
            try Address<Unchecked>(address).require(wallet.network).scriptPubKey
        }
        let accounts = try attempt { () throws(CustodyError) in try wallet.accounts }
        let key = try attempt { () throws(HDKeyError) in try Ownership(of: accounts).key(for: script) }
        switch key {
        case .taproot(let key): return AddressLabel(.taproot, at: key.path)
        case .segwit(let key): return AddressLabel(.segwit, at: key.path)
        case nil: throw notOurs(wallet)
        }
    }

    func ethereum(of wallet: WalletRecord) throws(Failure) -> UInt32 {
        guard let address else { return account }
        let wanted = try attemptAddress { () throws(EthereumError) in try EthereumAddress(address) }
        let accounts = try attempt { () throws(CustodyError) in try wallet.accounts.ethereum }
        guard let found = (0..<PaymentLimits.accounts).first(where: { (try? accounts?.key(at: $0))?.address == wanted })
        else {
            throw notOurs(wallet)
        }
        return found
    }

    private func notOurs(_ wallet: WalletRecord) -> Failure {
        Failure(
            code: .usage, name: "not_our_address",
            message: "this is none of the addresses of '\(wallet.name)' that can sign a message",
            hint: "name it with --type and --index, or --account")
    }
}
