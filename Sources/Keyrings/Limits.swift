/// Every limit of this target, with its reason. A decoder checks them before it spends memory or time.
enum Limits {
    /// The largest item of the Secret Service: that of the other stores, so that every item can move. GNOME Keyring stores
    /// 32 MiB and the bus carries 128 MiB, but each write rewrites the whole collection.
    static let serviceItemSize = 1 << 20
    /// The largest text of an item: the envelope in Base64.
    static let serviceTextSize = (serviceItemSize + ItemEnvelope.overhead + 2) / 3 * 4
    /// Listing costs one call for each item, within one deadline.
    static let serviceItemCount = 512
    /// An item is found under several names only by accident. Opening more copies would exceed the deadline.
    static let copies = 16
    /// Attributes of an item: this format has three, and other programs may add some.
    static let attributes = 64
    /// Another process may write the same item between a write and its check. It does not do so three times in a row.
    static let attempts = 3
    /// The address of a bus is a path with a few words around it.
    static let busAddress = 4096

    /// A key of the kernel's type `user` has at most 32,767 bytes, envelope included.
    static let kernelPayload = 32_767
    /// The largest item of the kernel's keyring.
    static let kernelItemSize = kernelPayload - ItemEnvelope.overhead
    /// The keys of the user's keyring, also other programs'. The quota of an ordinary user ends at 200.
    static let kernelKeyCount = 4096
    /// The description of a key has at most 4,095 bytes; the kernel writes four numbers before it.
    static let kernelDescription = 4096 + 64
    /// The kernel's time-outs are seconds in 32 bits. A session cache forgets within 30 days.
    static let kernelLifetime: ClosedRange<Int64> = 1...30 * 86_400
}
