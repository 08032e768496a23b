/// The limits of this module, each with its reason.
public enum ThresholdLimits {
    /// Participants of one group: a user's devices and a few guardians. All costs here are quadratic in this number.
    public static let participants = 15

    /// The smallest threshold. With 1, each participant would have the whole key, which this module exists to avoid.
    public static let smallestThreshold = 2

    /// Bytes of a message to be signed: larger than any Bitcoin digest or Solana transaction (1,232), small enough that a
    /// hostile package costs nothing.
    public static let messageSize = 65_536

    /// Tweaks of one signing session: a BIP-32 path of ten steps, the taproot tweak, and some spare ones.
    public static let tweaks = 16

    /// The highest epoch: it has four bytes on the wire, and shares renewed each second reach it after 136 years.
    public static let lastEpoch = 0xffff_ffff

    /// Bytes of one encoded protocol message: a signing package of 15 signers and 16 tweaks is the longest, at 67,110.
    static let encodedMessageSize = messageSize + 4_096
}
