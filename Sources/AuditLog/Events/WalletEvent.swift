internal import Encoding

/// An event of a wallet.
///
/// An act that matters is logged as ``Stage/admitted`` before it is done, and its end is logged afterwards. An
/// admission without an end means that the program ended in between.
public struct WalletEvent: Hashable, Sendable {
    /// The act.
    public enum Act: UInt8, CaseIterable, Sendable {
        /// Creation of a wallet.
        case creation = 1
        /// Import of a mnemonic or a key into a wallet.
        case importing = 2
        /// Restoration of a wallet from its shares.
        case restoration = 3
        /// Deletion of a wallet from this machine.
        case deletion = 4
        /// Signing of a transaction.
        case signing = 16
        /// Signing of a message, of typed data or of a file.
        case messageSigning = 17
        /// Renewal of all shares.
        case renewal = 32
        /// Repair of one share.
        case repair = 33
        /// Export of a backup.
        case backup = 34
        /// A change of the passphrase that opens the share files and the book.
        case passphraseChange = 35
        /// A change of the policy.
        case policyChange = 48
        /// An approval of a proposal.
        case approval = 49
        /// A secret was shown to a person: words, a key.
        case disclosure = 64
        /// A wrong passphrase or PIN.
        case failedUnlocking = 65
    }

    /// How far the act has come.
    public enum Stage: UInt8, CaseIterable, Sendable {
        /// It is about to be done.
        case admitted = 1
        /// It was done.
        case completed = 2
        /// The policy or a participant refused it.
        case refused = 3
        /// It failed, and had no effect.
        case failed = 4
        /// It was interrupted, and may have had an effect.
        case unclear = 5
    }

    /// The act.
    public let act: Act
    /// How far it has come.
    public let stage: Stage
    /// The wallet.
    public let wallet: AuditIdentifier
    /// The digest of the transaction, policy or file of the act; nil if the act has no such digest.
    public let subject: AuditDigest?
    /// The epoch of the shares; 0 for an act without shares.
    public let epoch: UInt32
    /// The sequence number of the admission that this event ends; nil for an admission.
    public let admission: UInt64?

    /// Creates an event.
    public init(
        _ act: Act, _ stage: Stage, wallet: AuditIdentifier, subject: AuditDigest?, epoch: UInt32 = 0,
        admission: UInt64? = nil
    ) {
        (self.act, self.stage, self.wallet, self.subject) = (act, stage, wallet, subject)
        (self.epoch, self.admission) = (epoch, admission)
    }

    static let code: UInt16 = 0x0100
    static let versions: ClosedRange<UInt8> = 1...2

    /// The version of the type: 2 for an act that came later. An earlier program keeps such a record as one that it does
    /// not know, and can still read the log.
    var version: UInt8 { act == .passphraseChange ? 2 : 1 }

    func append(to writer: inout ByteWriter) {
        writer.append(act.rawValue)
        writer.append(stage.rawValue)
        AuditIdentifier.append(wallet, to: &writer)
        AuditDigest.append(subject, to: &writer)
        writer.bigEndian(epoch)
        writer.append(admission == nil ? 0 : 1)
        if let admission { writer.bigEndian(admission) }
    }

    init(from reader: inout ByteReader) throws(EncodingError) {
        guard let act = Act(rawValue: try reader.uint8()), let stage = Stage(rawValue: try reader.uint8()),
            let wallet = try AuditIdentifier.read(from: &reader)
        else { throw .unsupported }
        let subject = try AuditDigest.read(from: &reader)
        let epoch = try reader.bigEndian(UInt32.self)
        let isEnd = try reader.uint8()
        guard isEnd < 2 else { throw .notCanonical }
        self.init(
            act, stage, wallet: wallet, subject: subject, epoch: epoch,
            admission: isEnd == 1 ? try reader.bigEndian(UInt64.self) : nil)
    }
}
