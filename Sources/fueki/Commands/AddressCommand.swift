public import ArgumentParser
public import Custody
internal import Encoding
internal import HDKeys
internal import Nodes
internal import Payments
internal import Terminal
internal import Wallet

struct AddressCommand: NodeCommand {
    static let configuration = CommandConfiguration(
        commandName: "address", abstract: "Show an address of a wallet. Needs no passphrase, but for --verify.",
        discussion: """
            Give everybody who pays you another address: --new shows the next one that this machine has not shown, and two at \
            once show two. What was shown is remembered beside the wallet: coins are looked for behind the last one. With \
            --node (no variable is looked at), one that was paid before is told, and --new passes over all of them, as after \
            'wallet restore'. Bitcoin Core knows only of addresses that have coins now; an explorer (--esplora) knows all \
            that were ever paid.

            The description of the wallet is not sealed, and who writes to its folder can replace it. --verify opens a share, \
            and compares the description with what is sealed there: do that before you receive much.

            On Ethereum each number is an account, with one address on every chain of its kind, and people keep to one: \
            number 0.

            EXAMPLES
              fueki address savings --new
              fueki address savings --index 1 --verify
              fueki address savings --type segwit --qr
              fueki address savings --type ethereum
            """)

    @OptionGroup var wallet: WalletArgument

    @Option(help: "The kind of address; 'p2tr' and 'p2wpkh' are other names for the two.")
    var type = WalletAddress.Kind.taproot

    @Option(
        name: [.long, .customLong("account")],
        help: ArgumentHelp("Which address, or account of Ethereum, from 0 (default: 0).", valueName: "number"))
    var index: UInt32?

    @Flag(help: "The next address to be paid to that was not shown (Bitcoin).")
    var new = false

    @Flag(help: "An address for change, in place of one to be paid to.")
    var change = false

    @Flag(help: "Open a share, and see that the address is the wallet's. Asks for the passphrase.")
    var verify = false

    @Flag(help: "Draw the address as a code for a telephone's camera, too.")
    var qr = false

    @OptionGroup var passphrase: PassphraseOptions
    @OptionGroup var node: NodeOptions
    @OptionGroup var global: GlobalOptions

    var asked: (node: NodeOptions, chain: ChainOption.Name, wallet: String) { (node, .bitcoin, wallet.name) }

    func validate() throws {
        guard index ?? 0 < 1 << 31 else { throw ValidationError("--index is at most \(Int32.max)") }
        guard type != .ethereum || !change else {
            throw ValidationError("--change is of Bitcoin's addresses; an account of Ethereum has one")
        }
        guard !new || (index == nil && !change && type != .ethereum) else {
            throw ValidationError("--new chooses an address of Bitcoin to be paid to: without --index and --change")
        }
        guard passphrase.passphraseFile == nil || verify else {
            throw ValidationError("--passphrase-file is for --verify: an address is shown without it")
        }
        guard node.node == nil || type != .ethereum else {
            throw ValidationError("--node is about Bitcoin's addresses")
        }
    }

    func perform(_ output: Output) async throws(Failure) {
        let wallet = try global.wallet(named: wallet.name)
        if verify {
            let secret = try passphrase.existing()
            output.progress("opening a share of '\(wallet.name)'")
            _ = try await attempt { () async throws(CustodyError) in
                try await global.walletHome.proven(wallet, passphrase: secret)
            }
        }
        let shown = try await shown(of: wallet, output)
        // Whoever has the words has the keys of most of them as well, and other software does not look there.
        if let imported = wallet.imported, !imported.restores(type) {
            output.note(
                "warning: the words that '\(wallet.name)' was imported from do not restore this address: do not use it")
        }
        for note in shown.notes(of: wallet) { output.note(note) }
        try output.result(shown) {
            let code = qr ? QRCode(Self.link(to: shown.address)) : nil
            let address = StyledText(shown.address.address)
            return code.map { address + StyledText("\n\n") + $0.text(isStyled: TerminalStyles.areShown(on: 1)) }
                ?? address
        }
    }

    /// The address, and what is known of it. From now on it counts as shown.
    private func shown(of wallet: WalletRecord, _ output: Output) async throws(Failure) -> ShownAddress {
        let home = global.walletHome
        let branch: AddressPath.Chain = change ? .change : .receive
        let row = ShownAddresses.Row(type, branch)
        func address(_ index: UInt32) throws(Failure) -> WalletAddress {
            try attempt { () throws(CustodyError) in try wallet.address(type, at: branch, index: index) }
        }
        guard type != .ethereum else { return ShownAddress(address: try address(index ?? 0), isVerified: verify) }
        let chain: (any BitcoinChain)? = if node.node != nil { try await node.bitcoin(for: wallet) } else { nil }
        if new {
            let (index, wasShown) = try await newIndex(of: wallet, by: chain)
            if chain != nil, !wasShown, ReceivingAddresses.isFar(index) {
                output.note("warning: \(BitcoinSweepRun.farAddress(index))")
            }
            return ShownAddress(
                address: try address(index), isVerified: verify, wasShown: wasShown,
                wasUsed: chain.map { _ in false }, isRepeated: wasShown)
        }
        let index = index ?? 0
        let found = try address(index)
        let used = try await UsedAddresses.among([found.script], by: chain)
        var shown = ShownAddress(
            address: found, isVerified: verify, wasUsed: used.map { !$0.isEmpty },
            isFar: index >= ShownAddresses.bound)
        do throws(CustodyError) {
            shown.wasShown = try await home.noteShown(index, in: row, of: wallet).contains(index, in: row)
        } catch {
            shown.wasShown = home.shownAddresses(of: wallet).contains(index, in: row)
            output.note("warning: it cannot be remembered that this address was shown: \(error.failure.message)")
        }
        return shown
    }

    /// The next address, which counts as shown from now on.
    ///
    /// - Returns: also whether it was shown before: then all were, and the node says that it was not paid.
    private func newIndex(
        of wallet: WalletRecord, by chain: (any BitcoinChain)?
    ) async throws(Failure) -> (index: UInt32, wasShown: Bool) {
        let (home, row) = (global.walletHome, ShownAddresses.Row(type, .receive))
        guard let chain else {
            let index = try await attempt { () async throws(CustodyError) in
                try await home.takeAddress(in: row, of: wallet)
            }
            if let index { return (index, false) }
            throw Failure(
                code: .refused, name: "no_fresh_address",
                message: "all \(ShownAddresses.bound) addresses that can be remembered count as shown",
                hint: "with --node, one that was not paid is shown; --index shows any")
        }
        while true {
            let addresses = try attempt { () throws(PaymentError) in
                try ReceivingAddresses(type, of: wallet, in: home)
            }
            let coins = try await attempt { () async throws(NodeError) in
                try await chain.coins(of: try await addresses.scripts(for: chain))
            }
            let found = try await attempt { () async throws(PaymentError) in
                try await addresses.unused(by: chain, coins)
            }
            if found.wasShown { return (found.index, true) }
            let taken = try await attempt { () async throws(CustodyError) in
                try await home.takeAddress(in: row, of: wallet) { $0 == found.index }
            }
            // Another command may have shown it meanwhile: then there is one address less to look at.
            if let taken { return (taken, false) }
        }
    }

    /// What a telephone makes of the address.
    private static func link(to address: WalletAddress) -> String {
        switch address.type {
        // BIP-21, in capitals (BIP-173): a smaller code than the same in small letters.
        case .taproot, .segwit: "bitcoin:\(address.address)".uppercased()
        // EIP-681. The case of the letters is the checksum.
        case .ethereum: "ethereum:\(address.address)"
        }
    }
}

/// `--type segwit`: the help and the shells list the names there are. The names of the scripts are taken as well.
extension WalletAddress.Kind: ExpressibleByArgument {
    /// Reads the name of a type, or of its script.
    public init?(argument: String) {
        switch argument {
        case "p2tr": self = .taproot
        case "p2wpkh": self = .segwit
        default: self.init(rawValue: argument)
        }
    }
}
