public import Encoding

/// The name of a tile or of a bundle of entries, as the path at which it is served (C2SP tlog-tiles).
public struct TilePath: Hashable, Sendable {
    /// The content.
    public enum Content: Hashable, Sendable {
        /// Hashes of a level, 0 for those of leaves.
        case hashes(level: Int)
        /// Entries, each after its length in two bytes.
        case entries
    }

    /// The content.
    public let content: Content
    /// The number of the tile in its level.
    public let index: UInt64
    /// The number of hashes or entries: 256 in a full tile.
    public let width: Int

    /// Creates a path.
    ///
    /// - Throws: ``AuditLogError/outsideLimits``.
    public init(_ content: Content, index: UInt64, width: Int) throws(AuditLogError) {
        guard (1...256).contains(width), index <= AuditLimits.size >> 8 else { throw .outsideLimits }
        if case .hashes(let level) = content, !(0...63).contains(level) { throw .outsideLimits }
        (self.content, self.index, self.width) = (content, index, width)
    }

    /// Reads a path such as `tile/0/x001/x234/067.p/17`.
    ///
    /// - Throws: `EncodingError`.
    public init(parsing text: String) throws(EncodingError) {
        guard text.utf8.count <= 64 else { throw .tooLong(limit: 64) }
        var parts = text.split(separator: "/", omittingEmptySubsequences: false).map(String.init)[...]
        guard parts.popFirst() == "tile", let level = parts.popFirst() else { throw .unsupported }
        let content: Content
        if level == "entries" {
            content = .entries
        } else {
            guard let level = Int(level) else { throw .unsupported }
            content = .hashes(level: level)
        }
        var width = 256
        if let last = parts.last, let mark = parts.dropLast().last, mark.hasSuffix(".p") {
            guard let number = Int(last), number < 256 else { throw .unsupported }
            width = number
            parts = parts.dropLast(2) + [String(mark.dropLast(2))]
        }
        var index: UInt64 = 0
        for part in parts {
            guard let digits = UInt64(part.hasPrefix("x") ? part.dropFirst() : part[...]), digits < 1_000,
                index < AuditLimits.size
            else { throw .unsupported }
            index = index * 1_000 + digits
        }
        guard let path = try? TilePath(content, index: index, width: width) else { throw .unsupported }
        guard path.text == text else { throw .notCanonical }
        self = path
    }

    /// The path as text.
    public var text: String {
        var groups: [String] = []
        var rest = index
        repeat {
            let digits = String(rest % 1_000)
            groups.append(String(repeating: "0", count: 3 - digits.count) + digits)
            rest /= 1_000
        } while rest > 0
        let number = groups.reversed().enumerated().map { $0 < groups.count - 1 ? "x" + $1 : $1 }
        let name: String
        switch content {
        case .hashes(let level): name = String(level)
        case .entries: name = "entries"
        }
        return "tile/\(name)/\(number.joined(separator: "/"))" + (width < 256 ? ".p/\(width)" : "")
    }

    /// Returns the paths of all tiles and bundles of a tree: full ones, and the partial ones at its right edge.
    public static func all(size: UInt64) -> [TilePath] {
        var paths: [TilePath] = []
        var (level, count) = (0, size)
        while count > 0 {
            for index in 0..<((count + 255) / 256) {
                let width = Int(min(256, count - index * 256))
                for content in level == 0 ? [.hashes(level: 0), .entries] : [Content.hashes(level: level)] {
                    if let path = try? TilePath(content, index: index, width: width) { paths.append(path) }
                }
            }
            (level, count) = (level + 1, count >> 8)
        }
        return paths
    }
}
