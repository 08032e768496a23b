internal import SwiftASN1
internal import X509

/// A name in a certificate, read for comparisons with constraints.
struct ConstrainedName: Sendable {
    /// The forms of names. Constraints of one form do not restrict names of another one.
    enum Form: Hashable, Sendable {
        case dns, address, mail, uri, directory, x400, ediParty, registered
        case other(ASN1ObjectIdentifier)
    }

    /// The contents of the forms that can be compared.
    enum Content: Sendable {
        /// The labels from the right, in lower case, without the asterisk of a wildcard.
        case dns(labels: [String], isWildcard: Bool)
        /// 4 or 16 bytes.
        case address([UInt8])
        case mail(local: String, host: [String])
        /// The labels of the host.
        case uri(host: [String])
        case directory(ComparedDirectoryName)
    }

    let form: Form
    /// Nil for a name that cannot be compared.
    let content: Content?

    /// Reads a name.
    init(_ name: GeneralName) {
        switch name {
        case .dnsName(let text):
            let isWildcard = text.hasPrefix("*.")
            self.init(
                .dns,
                DNSLabels.read(isWildcard ? text.dropFirst(2) : text[...]).map {
                    .dns(labels: $0, isWildcard: isWildcard)
                })
        case .ipAddress(let address):
            let bytes = Array(address.bytes)
            self.init(.address, [4, 16].contains(bytes.count) ? .address(bytes) : nil)
        case .rfc822Name(let text): self.init(mail: text)
        case .uniformResourceIdentifier(let text): self.init(.uri, Self.host(ofURI: text).map { .uri(host: $0) })
        case .directoryName(let name): self.init(.directory, .directory(ComparedDirectoryName(name)))
        case .otherName(let name): self.init(.other(name.typeID), nil)
        case .x400Address: self.init(.x400, nil)
        case .ediPartyName: self.init(.ediParty, nil)
        case .registeredID: self.init(.registered, nil)
        }
    }

    /// Reads an e-mail address in a subject.
    init(mail value: RelativeDistinguishedName.Attribute.Value) {
        guard let text = ComparedDirectoryName.text(of: value) else {
            self.init(.mail, nil)
            return
        }
        self.init(mail: text)
    }

    private init(mail text: String) {
        let parts = text.split(separator: "@", omittingEmptySubsequences: false)
        guard parts.count == 2, !parts[0].isEmpty, let host = DNSLabels.read(parts[1]) else {
            self.init(.mail, nil)
            return
        }
        self.init(.mail, .mail(local: String(parts[0]), host: host))
    }

    private init(_ form: Form, _ content: Content?) { (self.form, self.content) = (form, content) }

    /// Returns the host of a URI; nil without one, and for an IP address, which no constraint on hosts permits.
    private static func host(ofURI text: String) -> [String]? {
        guard let colon = text.firstIndex(of: ":") else { return nil }
        let rest = text[text.index(after: colon)...]
        guard rest.hasPrefix("//") else { return nil }
        let authority = rest.dropFirst(2).prefix { !"/?#".contains($0) }
        let host = authority.split(separator: "@", omittingEmptySubsequences: false).last ?? ""
        let parts = host.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count == 1 || parts.count == 2 && parts[1].allSatisfy({ "0"..."9" ~= $0 }) else { return nil }
        return parts.first.flatMap(DNSLabels.read)
    }
}

/// The labels of a host's name.
enum DNSLabels {
    /// Reads a name without a dot at its end.
    ///
    /// - Returns: the labels from the right, in lower case; nil for another text, and for an address of IPv4.
    static func read(_ name: some StringProtocol) -> [String]? {
        let lower = name.lowercased()
        guard (1...253).contains(lower.utf8.count) else { return nil }
        let labels = lower.split(separator: ".", omittingEmptySubsequences: false)
        guard labels.allSatisfy(Origin.isLabel), let last = labels.last, !Origin.isNumber(last) else { return nil }
        return labels.reversed().map(String.init)
    }
}
