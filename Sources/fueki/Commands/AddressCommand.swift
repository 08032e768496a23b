public import ArgumentParser
public import Custody
internal import Encoding
internal import Wallet

struct AddressCommand: FuekiCommand {
    static let configuration = CommandConfiguration(
        commandName: "address", abstract: "Show an address of a wallet. Needs no passphrase.",
        discussion: """
            Give everybody who pays you another address: --index 0, 1, 2 and so on. All of them are the wallet's.

            On Ethereum each number is an account, with one address on every chain of its kind, and people keep to one: \
            number 0.

            EXAMPLES
              fueki address savings --index 1
              fueki address savings --type segwit --qr
              fueki address savings --type ethereum
            """)

    @OptionGroup var wallet: WalletArgument

    @Option(help: "The kind of address; 'p2tr' and 'p2wpkh' are other names for the two.")
    var type = WalletAddress.Kind.taproot

    @Option(
        name: [.long, .customLong("account")],
        help: ArgumentHelp("Which address, or account of Ethereum, from 0.", valueName: "number"))
    var index: UInt32 = 0

    @Flag(help: "An address for change, in place of one to be paid to.")
    var change = false

    @Flag(help: "Draw the address as a code for a telephone's camera, too.")
    var qr = false

    @OptionGroup var global: GlobalOptions

    func validate() throws {
        guard index < 1 << 31 else { throw ValidationError("--index is at most \(Int32.max)") }
        guard type != .ethereum || !change else {
            throw ValidationError("--change is of Bitcoin's addresses; an account of Ethereum has one")
        }
    }

    func perform(_ output: Output) throws(Failure) {
        let wallet = try global.wallet(named: wallet.name)
        let address = try attempt { () throws(CustodyError) in
            try wallet.address(type, at: change ? .change : .receive, index: index)
        }
        // Whoever has the words has the keys of most of them as well, and other software does not look there.
        if let imported = wallet.imported, !imported.restores(type) {
            output.note(
                "warning: the words that '\(wallet.name)' was imported from do not restore this address: do not use it")
        }
        try output.result(address) {
            let code = qr ? QRCode(Self.link(to: address)) : nil
            return address.address + (code.map { "\n\n\($0.text)" } ?? "")
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
