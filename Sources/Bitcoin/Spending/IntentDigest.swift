internal import Curves
internal import Encoding
internal import HDKeys

extension PSBT {
    /// Returns the digest of a spend: 32 bytes that identify the wallet and its network, the unsigned transaction with
    /// its version, sequences and lock time, the amounts and scripts of everything that it spends, and the types of the
    /// signatures. A confirmation names it, and every signer computes it again.
    ///
    /// It does not cover fields that only help to look things up, such as claimed paths. It does not cover signatures
    /// either, so that it stays the same while they are added.
    ///
    /// taggedHash("Fueki/bitcoin/intent", sized name of the network ‖ for each account, taproot first: public key (33
    /// bytes) ‖ chain code (32 bytes); then sized unsigned transaction ‖ for each input: 0 if the PSBT does not contain
    /// the output that it spends, else 1 ‖ amount (8 bytes, little-endian) ‖ sized script; then the signature-hash type
    /// (4 bytes, little-endian; 0 if none is named)). Sizes are compact sizes. A key begins with 2 or 3, which is never
    /// a transaction's size: so the number of accounts is unambiguous.
    public func intentDigest(for accounts: BitcoinAccounts) -> [UInt8] {
        intentDigest(on: accounts.network, of: accounts)
    }

    /// Returns the digest of a spend, also without a wallet.
    ///
    /// - Parameter accounts: nil without a wallet; it counts as 65 zero bytes, which no key has.
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
