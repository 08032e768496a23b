internal import Curves
internal import Encoding

extension PSBT {
    /// 32 bytes that stand for what signing means: which wallet on which network, the unsigned transaction with its version,
    /// sequences and lock time, the amount and script of everything it spends, and the types of the signatures. A
    /// confirmation names it, and whoever signs computes it again.
    ///
    /// What only helps to look things up, such as claimed paths, is not in it; nor are signatures, so that it stays the
    /// same while they are added.
    ///
    /// taggedHash("Fueki/bitcoin/intent", sized name of the network ‖ public key (33 bytes) ‖ chain code (32 bytes) ‖ sized
    /// unsigned transaction ‖ for each input: 0 if what it spends is not shown, else 1 ‖ amount (8 bytes, little-endian) ‖
    /// sized script; then the signature-hash type (4 bytes, little-endian; 0 if none is named)). Sizes are compact sizes.
    public func intentDigest(for account: TaprootAccount) -> [UInt8] {
        intentDigest(on: account.network, key: account.key)
    }

    /// - Parameter key: nothing where no wallet is asked; it counts as 65 bytes of 0, which no key has.
    func intentDigest(on network: Network, key: ExtendedPublicKey?) -> [UInt8] {
        var writer = ByteWriter(reserving: 1_024)
        writer.sized(Array(network.name.utf8))
        writer.append(key.map { $0.point.encoded + $0.chainCode } ?? [UInt8](repeating: 0, count: 65))
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
