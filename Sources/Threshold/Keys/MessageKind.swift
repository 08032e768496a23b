package import Curves

/// The kind of an encoded message: its second byte, so that one message is never read as another.
///
/// Each protocol adds its own kinds beside its messages: 0x01 keys, 0x10 signing, 0x30 sharing. The codes
/// 0x20 to 0x26 belonged to an earlier key generation (ADR 27), and are not used again.
package struct MessageKind: Equatable, Sendable {
    package let code: UInt8

    package init(code: UInt8) { self.code = code }

    package static let groupKey = MessageKind(code: 0x01)
    package static let keyShare = MessageKind(code: 0x02)
}

/// The version of every format in this module: the first byte of each message.
package let messageVersion: UInt8 = 1

extension Curve {
    /// The curve's number on the wire: the third byte of each message.
    package static var wireCode: UInt8 {
        switch ObjectIdentifier(Self.self) {
        case ObjectIdentifier(Secp256k1.self): 1
        case ObjectIdentifier(Ed25519.self): 2
        default: preconditionFailure("a curve that has no number on the wire yet")
        }
    }

    /// The size of an encoded point in bytes: 33 compressed (SEC 1) on secp256k1, 32 (RFC 8032) on edwards25519.
    package static var pointSize: Int { wireCode == 1 ? 33 : 32 }
}

/// The size of an encoded scalar in bytes, on both curves.
package let scalarSize = 32
