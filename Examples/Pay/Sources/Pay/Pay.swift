import Foundation

/// Pays with a wallet that `fueki wallet create` made.
///
///     pay bitcoin HOME WALLET PASSPHRASE-FILE NODE COOKIE-FILE ADDRESS SATOSHIS INVOICE
///     pay ethereum HOME WALLET PASSPHRASE-FILE NODE CHAIN-ID ADDRESS AMOUNT INVOICE
@main
struct Pay {
    static func main() async {
        do {
            try await pay(Array(CommandLine.arguments.dropFirst()))
        } catch {
            FileHandle.standardError.write(Data("pay: \(words(for: error))\n".utf8))
            exit(1)
        }
    }

    private static func pay(_ arguments: [String]) async throws {
        guard arguments.count == 9 else { throw Misuse.arguments }
        switch arguments[0] {
        case "bitcoin":
            guard let satoshis = UInt64(arguments[7]) else { throw Misuse.number(arguments[7]) }
            try await payBitcoin(
                home: arguments[1], wallet: arguments[2], passphraseFile: arguments[3], node: arguments[4],
                cookieFile: arguments[5], to: arguments[6], satoshis: satoshis, invoice: arguments[8])
        case "ethereum":
            guard let chain = UInt64(arguments[5]) else { throw Misuse.number(arguments[5]) }
            try await payEther(
                home: arguments[1], wallet: arguments[2], passphraseFile: arguments[3], node: arguments[4],
                chain: chain, to: arguments[6], amount: arguments[7], invoice: arguments[8])
        default:
            throw Misuse.arguments
        }
    }
}
