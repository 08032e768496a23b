/// The limits of this module, each with its reason. A decoder checks them before it spends memory or time.
public enum AuditLimits {
    /// Bytes of an event's fields. The largest event in use has two identifiers and two digests.
    public static let payload = 1_024
    /// Bytes of an identifier in an event: an account, a device, a wallet. Identifiers here have 16 or 32 bytes.
    public static let identifier = 64
    /// Bytes of an origin or the name of a key. It is one line of a checkpoint, and one byte holds its length.
    public static let name = 255
    /// Bytes of a sealed entry. C2SP bundles have 16 bits for it; the largest event needs 1.3 KiB.
    public static let entry = 4_096
    /// Entries that a log can have. A larger number cannot result from counting, and hides overflows.
    public static let size: UInt64 = 1 << 48
    /// Hashes of a proof: twice the height of the largest tree suffices for both kinds of proof; tlog-witness allows
    /// 63.
    public static let proofHashes = 63
    /// Bytes of a signed note. The specification demands 16 signatures at least, and says that a post-quantum one can have
    /// nearly 5 kB: 16 of those have 107 KiB in Base64, 32 cosignatures by ML-DSA-44 have 106 KiB.
    public static let note = 128 << 10
    /// Signatures of a note: of the log, and of more witnesses than the public network of them has.
    public static let signatures = 64
    /// Bytes of a proof of 63 lines in a request to a witness or in the proof of an entry, with the lines above it.
    static let proofLines = 4 << 10
    /// Bytes of the request to a witness: a proof, and a note.
    public static let witnessRequest = proofLines + note
    /// Bytes of the extra data in the proof of an entry: an application puts what it needs to make the entry again.
    public static let proofExtra = 16 << 10
    /// Bytes of the proof of an entry: the extra data in Base64, a proof, and a note.
    static let entryProof = (24 << 10) + witnessRequest
    /// Seconds by which the time of a new cosignature may differ from this machine's clock. A witness cosigns when it is
    /// asked; a day allows for clocks in another time zone, and shows one that stands still or was set to another year.
    static let cosignatureClock: UInt64 = 86_400

    /// Events that wait for the next commit. More wait only if the disk is stuck; then refusing is better than memory.
    static let waitingEvents = 65_536
    /// Milliseconds by which a clock may go back without a report: clocks are corrected by less all the time.
    static let clockTolerance: Int64 = 1_000
    /// Entries of one commit. It bounds the time until the first of them is durable.
    static let commitEntries = 4_096
    /// Entries of one file. A log is opened by reading its last file: 16,384 entries take about 20 ms. It is a multiple
    /// of 256, so that each file begins with a new tile.
    static let segmentEntries: UInt64 = 16_384
    /// Bytes of one file, as large as its entries can make it.
    static let segmentBytes = (entry + 64) * Int(segmentEntries) + 4_096
    /// Entries under one key of an epoch. Nonces are random: below 2^32 messages a repetition is unlikely (NIST SP
    /// 800-38D, 8.3), and short epochs limit what a taken key opens.
    static let epochEntries: ClosedRange<UInt64> = 2...(1 << 20)
    /// Bytes that are kept back so that a full disk can still be recorded.
    static let reserve = 64 << 10
    /// Batches that a sink may be behind. A sink further behind is given up, because memory is finite.
    static let sinkBacklog = 1_024
    /// Entries that a sink may be behind, the same number as ``waitingEvents``. Batches alone would allow four million.
    static let sinkBacklogEntries = 65_536
    /// Bytes of the file that describes a log.
    static let description = 1_024
    /// Bytes of the plaintext of an entry are rounded up to a multiple of this, so that its length tells little.
    static let padding = 64
    /// The largest count of use. A report gives ranges up to 100; the rest only keeps the number from overflowing.
    static let usageCount: UInt32 = 1_000_000
}
