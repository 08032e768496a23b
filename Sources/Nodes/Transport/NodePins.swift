public import PinnedHTTP

/// The source of the pins of a node: keys, or the file of a pin policy.
///
/// ```swift
/// let pins = try NodePins(firstOf: [.init(keys: nil, file: "pins.json"), .init(keys: setting, file: nil)])
/// ```
public enum NodePins: Equatable, Sendable {
    /// No pins: every certificate of a trusted authority for the node's name suffices.
    case none
    /// Pins that are separated by spaces or commas: ``NodeConnection/pins(in:)`` reads them.
    case keys(String)
    /// The path of a pin policy: ``policy(decoding:)`` reads its bytes.
    case file(String)

    /// The pins that one place names: a command line, the environment, or settings.
    public struct Given: Equatable, Sendable {
        /// Pins, or `none`.
        public let keys: String?
        /// The path of a pin policy, or `none`.
        public let file: String?

        /// Creates a value; nil for what the place does not name.
        public init(keys: String?, file: String?) { (self.keys, self.file) = (keys, file) }
    }

    /// The word that stands for no pins.
    public static let noneWord = "none"

    /// Chooses the pins of the first place that names any.
    ///
    /// - Parameter places: the places, the strongest first.
    /// - Throws: ``NodeError/badConnection(_:)`` with ``NodeConnection/Fault/keysAndPolicy`` if that place names both
    ///   pins and a policy: it is not clear which of them is meant.
    public init(firstOf places: [Given]) throws(NodeError) {
        guard let place = places.first(where: { $0.keys != nil || $0.file != nil }) else {
            self = .none
            return
        }
        switch (place.keys, place.file) {
        case (_?, _?): throw .badConnection(.keysAndPolicy)
        case (let keys?, nil): self = keys == Self.noneWord ? .none : .keys(keys)
        case (nil, let file?): self = file == Self.noneWord ? .none : .file(file)
        case (nil, nil): self = .none
        }
    }

    /// Reads the file of a pin policy for connections to nodes. The entry for a node's host may be that of a name above
    /// it, and what the policy says about hosts without pins holds for nodes, too.
    ///
    /// - Throws: ``NodeError/badConnection(_:)`` with ``NodeConnection/Fault/policy(_:)`` for a malformed file. No
    ///   connection is made without the pins that it was to contain.
    public static func policy(decoding bytes: some Collection<UInt8>) throws(NodeError) -> PinPolicy {
        do throws(PinPolicy.Fault) {
            return try PinPolicy(decoding: bytes)
        } catch { throw .badConnection(.policy(error)) }
    }
}
