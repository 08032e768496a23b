internal import SwiftASN1

extension AttestationFormat {
    /// Extensions of the attesting certificate that the format's procedure has read. They may be critical.
    var handledExtensions: Set<ASN1ObjectIdentifier> {
        switch self {
        case .androidKey: [AndroidKeyDescription.identifier]
        case .apple: [AppleNonce.identifier]
        case .none, .packed, .tpm, .fidoU2F, .unknown: []
        }
    }
}
