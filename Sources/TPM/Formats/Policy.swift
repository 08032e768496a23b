internal import Crypto
internal import Encoding

/// Digests of policies (TPM 2.0, part 3, chapter 23).
enum Policy {
    private enum Command {
        static let certify: UInt32 = 0x148
        static let policyCommandCode: UInt32 = 0x16c
    }

    /// Permits `TPM2_Certify` and no other command.
    static let certifying: [UInt8] = {
        var writer = ByteWriter(reserving: 40)
        writer.append([UInt8](repeating: 0, count: 32))
        writer.bigEndian(Command.policyCommandCode)
        writer.bigEndian(Command.certify)
        return [UInt8](SHA256.hash(data: writer.bytes))
    }()

    /// The command that ``certifying`` permits.
    static let certifiedCommand = Command.certify
}
