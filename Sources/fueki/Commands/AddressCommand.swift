public import ArgumentParser
public import Custody
internal import HDKeys
internal import Nodes
internal import Payments
internal import Presentation
internal import Terminal
internal import Texts
internal import Wallet

struct AddressCommand: NodeCommand {
    static let configuration = CommandConfiguration(
        commandName: "address", abstract: "Show an address of a wallet. Only --verify needs a passphrase.",
        discussion: """
            Give each payer another address: --new shows the next one that this machine has not shown, and two commands at \
            once show two. The shown addresses are remembered beside the wallet, and coins are scanned beyond the last one. \
            With --node (no variable is read) a warning says that an address was paid before, and --new skips paid ones, as \
            after 'wallet restore'. Bitcoin Core knows only of addresses that have coins now; an explorer (--esplora) knows \
            all that were ever paid.

            The description of the wallet is not sealed, and who writes to its folder can replace it. --verify opens a share, \
            and compares the description with what is sealed there: do that before you receive much.

            On Ethereum each number is an account, with one address on every chain of its kind, and people keep to one: \
            number 0. \(furtherOptions)

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
        help: .value("number", "Which address, or account of Ethereum, from 0 (default: 0)."))
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

    var asked: (node: NodeOptions, chain: ChainName, wallet: String) { (node, .bitcoin, wallet.name) }

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
            output.progress(
                StepText("opening a share of '\(wallet.name)'", done: "opened a share of '\(wallet.name)'"))
            _ = try await attempt { () async throws(CustodyError) in
                try await global.walletHome.proven(wallet, passphrase: secret)
            }
        }
        let request: AddressRequest =
            type == .ethereum
            ? .account(index ?? 0) : new ? .next(type) : .indexed(type, change ? .change : .receive, index ?? 0)
        let chain: (any BitcoinChain)? = if node.node != nil { try await node.bitcoin(for: wallet) } else { nil }
        let found = try await attempt { () async throws(PaymentError) in
            try await global.walletHome.show(request, of: wallet, asking: chain)
        }
        let shown = ShownAddress(found, of: wallet.name, isVerified: verify)
        for note in shown.notes { output.note(note) }
        try output.result(shown) {
            let code = qr ? QRCode(shown.link)?.text(isStyled: TerminalStyles.areShown(on: 1)) : nil
            return StyledText(shown.text) + (code.map { StyledText("\n\n") + $0 } ?? StyledText(""))
        }
    }
}

/// `--type segwit`. The names of the scripts are accepted, too.
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
