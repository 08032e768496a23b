// CryptoKit is what swift-crypto is on Apple's systems, and the Secure Enclave besides.
@_exported import Crypto
public import Foundation
public import LocalAuthentication
public import Security

// https://developer.apple.com/documentation/cryptokit/secureenclave
public enum SecureEnclave {
    // https://developer.apple.com/documentation/cryptokit/secureenclave/isavailable
    public static var isAvailable: Bool { false }

    // https://developer.apple.com/documentation/cryptokit/secureenclave/p256
    public enum P256 {
        // https://developer.apple.com/documentation/cryptokit/secureenclave/p256/signing
        public enum Signing {
            // https://developer.apple.com/documentation/cryptokit/secureenclave/p256/signing/privatekey
            public struct PrivateKey {
                public init(
                    compactRepresentable: Bool = true, accessControl: SecAccessControl,
                    authenticationContext: LAContext? = nil
                ) throws { throw CryptoKitError.authenticationFailure }
                public init(dataRepresentation: Data, authenticationContext: LAContext? = nil) throws {
                    throw CryptoKitError.authenticationFailure
                }
                public var dataRepresentation: Data { Data() }
                public var publicKey: Crypto.P256.Signing.PublicKey { fatalError() }
                public func signature<D: DataProtocol>(for data: D) throws -> Crypto.P256.Signing.ECDSASignature {
                    throw CryptoKitError.authenticationFailure
                }
            }
        }

        // https://developer.apple.com/documentation/cryptokit/secureenclave/p256/keyagreement
        public enum KeyAgreement {
            // https://developer.apple.com/documentation/cryptokit/secureenclave/p256/keyagreement/privatekey
            public struct PrivateKey {
                public init(
                    compactRepresentable: Bool = true, accessControl: SecAccessControl,
                    authenticationContext: LAContext? = nil
                ) throws { throw CryptoKitError.authenticationFailure }
                public init(dataRepresentation: Data, authenticationContext: LAContext? = nil) throws {
                    throw CryptoKitError.authenticationFailure
                }
                public var dataRepresentation: Data { Data() }
                public var publicKey: Crypto.P256.KeyAgreement.PublicKey { fatalError() }
                public func sharedSecretFromKeyAgreement(
                    with publicKeyShare: Crypto.P256.KeyAgreement.PublicKey
                ) throws -> SharedSecret { throw CryptoKitError.authenticationFailure }
            }
        }
    }
}
