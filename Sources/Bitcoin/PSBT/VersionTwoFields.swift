/// The fields of a PSBT that only version 2 has (BIP-370): the parts of the transaction, and the rules for changing it.
struct VersionTwoFields: Equatable, Sendable {
    private(set) var global: KeyValueMap
    /// One map for each input.
    let inputs: [KeyValueMap]
    /// One map for each output.
    let outputs: [KeyValueMap]

    init(global: KeyValueMap, inputs: [KeyValueMap], outputs: [KeyValueMap]) {
        (self.global, self.inputs, self.outputs) = (global, inputs, outputs)
    }

    /// The flags of `PSBT_GLOBAL_TX_MODIFIABLE` that permit more inputs (bit 0) and more outputs (bit 1).
    private static let permissions: UInt8 = 0b11

    /// Withdraws the permission to add inputs and outputs (BIP-370, signer), for a signature that covers all of them.
    mutating func becomeUnmodifiable() {
        guard let flags = global[PSBTType.Global.modifiable]?.first else { return }
        global[PSBTType.Global.modifiable] = [flags & ~Self.permissions]
    }

    /// Keeps the permissions that both have, and every other flag of either. The remaining fields are those of this one:
    /// the transactions of both are equal.
    mutating func combine(with other: VersionTwoFields) {
        let flags = [global, other.global].map { $0[PSBTType.Global.modifiable]?.first }
        guard flags.contains(where: { $0 != nil }) else { return }
        let (mine, theirs) = (flags[0] ?? 0, flags[1] ?? 0)
        global[PSBTType.Global.modifiable] = [mine & theirs & Self.permissions | (mine | theirs) & ~Self.permissions]
    }
}
