internal import Curves
internal import Encoding
internal import HDKeys

extension PSBT {
    /// 32 bytes that stand for what signing means: which wallet on which network, the unsigned transaction with its version,
    /// sequences and lock time, the amount and script of everything it spends, and the types of the signatures. A
    /// confirmation names it, and whoever signs computes it again.
    ///
    /// What only helps to look things up, such as claimed paths, is not in it; nor are signatures, so that it stays the
    /// same while they are added.
    ///
    /// taggedHash("Fueki/bitcoin/intent", sized name of the network ‖ for each account, taproot first: public key (33 bytes) ‖
    /// chain code (32 bytes); then sized unsigned transaction ‖ for each input: 0 if what it spends is not shown, else 1 ‖ amount (8 bytes, little-endian) ‖
    /// sized script; then the signature-hash type (4 bytes, little-endian; 0 if none is named)). Sizes are compact sizes.
    /// A key begins with 2 or 3, which is the size of no transaction: how many accounts there are is never in doubt.
    public func intentDigest(for accounts: BitcoinAccounts) -> [UInt8] {
        intentDigest(on: accounts.network, of: accounts)
    }

    /// - Parameter accounts: nothing where no wallet is asked; it counts as 65 bytes of 0, which no key has.
    func intentDigest(on network: Network, of accounts: BitcoinAccounts?) -> [UInt8] {
        var writer = ByteWriter(reserving: 1_024)
        writer.sized(Array(network.name.utf8))
        if let accounts {
            for key in [accounts.taproot.key] + (accounts.segwit.map { [$0.key] } ?? []) {
                writer.append(key.point.encoded + key.chainCode)
            }
        } else {
            writer.append([UInt8](repeating: 0, count: 65))
        }
        writer.sized(unsignedTransaction.serialised(withWitness: false))
        for input in inputs {
            if let output = input.previousOutput {
                writer.append(1)
                output.write(to: &writer)
            } else {
                writer.append(0)
            }
            writer.littleEndian(input.sighashField ?? 0)
        }
        return BIP340.taggedHash("Fueki/bitcoin/intent", writer.bytes)
    }
}
