internal import ArgumentParser
internal import Custody
internal import Encoding
internal import Wallet

struct AddressCommand: FuekiCommand {
    static let configuration = CommandConfiguration(
        commandName: "address", abstract: "Show an address of a wallet. Needs no passphrase.",
        discussion: """
            Give everybody who pays you another address: --index 0, 1, 2 and so on. All of them are the wallet's.

            EXAMPLE
              fueki address savings --index 1
            """)

    enum AddressType: String, CaseIterable, ExpressibleByArgument {
        case p2tr
    }

    @OptionGroup var wallet: WalletArgument

    @Option(help: "The kind of address: taproot.")
    var type = AddressType.p2tr

    @Option(help: ArgumentHelp("Which address, from 0.", valueName: "number"))
    var index: UInt32 = 0

    @Flag(help: "An address for change, in place of one to be paid to.")
    var change = false

    @OptionGroup var global: GlobalOptions

    func validate() throws {
        guard index < 1 << 31 else { throw ValidationError("--index is at most \(Int32.max)") }
    }

    func perform(_ output: Output) throws(Failure) {
        let wallet = try global.wallet(named: wallet.name)
        let address = try attempt { () throws(CustodyError) in
            try wallet.address(at: change ? .change : .receive, index: index)
        }
        try output.result(address) { address.address }
    }
}
