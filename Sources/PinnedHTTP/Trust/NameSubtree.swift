internal import SwiftASN1
internal import X509

/// The names that an authority permits or excludes by one entry of its constraints.
struct NameSubtree: Sendable {
    /// The relation of a name to the subtree.
    enum Relation: Equatable, Sendable {
        case within, outside
        /// A wildcard can stand for names within, and for others.
        case overlapping
        /// The subtree or the name cannot be compared.
        case incomparable
    }

    private enum Content: Sendable {
        /// A name and all names below it; if `isBelow`, only those below it.
        case dns(labels: [String], isBelow: Bool)
        case network(address: [UInt8], mask: [UInt8])
        case mailbox(local: String, host: [String])
        /// One host, or if `isBelow`, all hosts below it.
        case host([String], isBelow: Bool)
        case directory(ComparedDirectoryName)
    }

    let form: ConstrainedName.Form
    private let content: Content?

    /// Reads an entry of constraints.
    init(_ base: GeneralName) {
        form = ConstrainedName(base).form
        switch base {
        case .dnsName(let text): content = Self.domain(text)
        case .ipAddress(let bytes): content = Self.network(Array(bytes.bytes))
        case .rfc822Name(let text): content = Self.mail(text)
        case .uniformResourceIdentifier(let text): content = Self.hosts(text)
        case .directoryName(let name): content = .directory(ComparedDirectoryName(name))
        case .otherName, .x400Address, .ediPartyName, .registeredID: content = nil
        }
    }

    /// Returns the relation of a name of the same form.
    func relation(to name: ConstrainedName) -> Relation {
        switch (content, name.content) {
        case (.dns(let base, let isBelow), .dns(let labels, let isWildcard)):
            // The asterisk is one label in front of the others.
            let isDeeper = labels.count + (isWildcard ? 1 : 0) > base.count
            if labels.starts(with: base) { return isDeeper || !isBelow ? .within : .outside }
            let canBeBase = isWildcard && labels.count + 1 == base.count && base.starts(with: labels)
            return canBeBase && !isBelow ? .overlapping : .outside
        case (.network(let base, let mask), .address(let address)):
            guard base.count == address.count else { return .outside }
            let isWithin = zip(address, zip(base, mask)).allSatisfy { ($0 ^ $1.0) & $1.1 == 0 }
            return isWithin ? .within : .outside
        case (.mailbox(let local, let base), .mail(let own, let host)):
            // Section 4.2.1.6: a mailbox is compared exactly, its host without regard to case.
            return own.utf8.elementsEqual(local.utf8) && host == base ? .within : .outside
        case (.host(let base, let isBelow), .mail(_, let host)), (.host(let base, let isBelow), .uri(let host)):
            let isWithin = isBelow ? host.count > base.count && host.starts(with: base) : host == base
            return isWithin ? .within : .outside
        case (.directory(let base), .directory(let name)): return name.isWithin(base) ? .within : .outside
        default: return .incomparable
        }
    }

    // MARK: Reading

    private static func domain(_ text: String) -> Content? {
        // The empty name is the root of all names. A dot in front is none of the RFC's; authorities write it, and all
        // verifiers read it as "below this name". One at the end is that of an absolute name.
        if text.isEmpty { return .dns(labels: [], isBelow: false) }
        let isBelow = text.hasPrefix(".")
        let name = isBelow ? text.dropFirst() : text[...]
        return DNSLabels.read(name.hasSuffix(".") ? name.dropLast() : name).map { .dns(labels: $0, isBelow: isBelow) }
    }

    private static func network(_ bytes: [UInt8]) -> Content? {
        guard bytes.count == 8 || bytes.count == 32 else { return nil }
        let (address, mask) = (bytes.prefix(bytes.count / 2), bytes.suffix(bytes.count / 2))
        // Ones and then zeros (RFC 4632): any other mask is an unreadable mistake.
        let zeros = mask.drop { $0 == 0xFF }
        guard zeros.dropFirst().allSatisfy({ $0 == 0 }),
            zeros.first.map({ $0.leadingZeroBitCount == 8 || (~$0 &+ 1).nonzeroBitCount == 1 }) ?? true
        else { return nil }
        return .network(address: Array(address), mask: Array(mask))
    }

    private static func mail(_ text: String) -> Content? {
        guard text.contains("@") else { return hosts(text) }
        guard case .mail(let local, let host)? = ConstrainedName(.rfc822Name(text)).content else { return nil }
        return .mailbox(local: local, host: host)
    }

    private static func hosts(_ text: String) -> Content? {
        let isBelow = text.hasPrefix(".")
        return DNSLabels.read(isBelow ? text.dropFirst() : text[...]).map { .host($0, isBelow: isBelow) }
    }
}
