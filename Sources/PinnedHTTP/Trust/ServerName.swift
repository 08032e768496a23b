internal import SwiftASN1
internal import X509

/// The host that a server's certificate has to name (RFC 9525, section 6).
///
/// The library's check is wider than that of BoringSSL: it accepts an asterisk as a part of a label or in front of a
/// single label, and a name with a dot at its end, which no constraint on names excludes.
struct ServerName: Sendable {
    private let name: [UInt8]
    private let address: [UInt8]?

    /// - Parameter host: ``Origin/host``.
    init(_ host: String) {
        name = Array(host.utf8)
        address = IPAddress(host)?.bytes
    }

    /// The host as a name in a certificate.
    var generalName: GeneralName {
        if let address { return .ipAddress(ASN1OctetString(contentBytes: address[...])) }
        return .dnsName(String(decoding: name, as: UTF8.self))
    }

    /// Whether one of a certificate's names is this one. An address counts as an address only, a name as a name only.
    func isAmong(_ names: SubjectAlternativeNames) -> Bool {
        names.contains { candidate in
            switch candidate {
            case .ipAddress(let bytes): address.map { bytes.bytes.elementsEqual($0) } ?? false
            case .dnsName(let pattern): address == nil && matches(pattern)
            default: false
            }
        }
    }

    /// Whether a name is this one, or has an asterisk in place of its first label, in front of at least two others.
    private func matches(_ pattern: String) -> Bool {
        let pattern = pattern.utf8.map { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) ? $0 | 0x20 : $0 }
        if pattern == name { return true }
        guard pattern.starts(with: "*.".utf8) else { return false }
        let suffix = pattern.dropFirst()
        return suffix.dropFirst().contains(UInt8(ascii: "."))
            && name.drop { $0 != UInt8(ascii: ".") }.elementsEqual(suffix)
    }
}
