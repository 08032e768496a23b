@_exported import Foundation

// https://developer.apple.com/documentation/devicecheck/dcappattestservice
open class DCAppAttestService: NSObject {
    // https://developer.apple.com/documentation/devicecheck/dcappattestservice/shared
    nonisolated(unsafe) public static let shared = DCAppAttestService()
    // https://developer.apple.com/documentation/devicecheck/dcappattestservice/issupported
    open var isSupported: Bool { false }
    // https://developer.apple.com/documentation/devicecheck/dcappattestservice/generatekey(completionhandler:)
    open func generateKey(completionHandler: @escaping @Sendable (String?, (any Error)?) -> Void) {}
    // https://developer.apple.com/documentation/devicecheck/dcappattestservice/attestkey(_:clientdatahash:completionhandler:)
    open func attestKey(
        _ keyId: String, clientDataHash: Data, completionHandler: @escaping @Sendable (Data?, (any Error)?) -> Void
    ) {}
    // https://developer.apple.com/documentation/devicecheck/dcappattestservice/generateassertion(_:clientdatahash:completionhandler:)
    open func generateAssertion(
        _ keyId: String, clientDataHash: Data, completionHandler: @escaping @Sendable (Data?, (any Error)?) -> Void
    ) {}
}

// https://developer.apple.com/documentation/devicecheck/dcerror-swift.struct
public struct DCError: Error {
    public enum Code: Int, Sendable {
        case unknownSystemFailure = 0
        case featureUnsupported = 1
        case invalidInput = 2
        case invalidKey = 3
        case serverUnavailable = 4
    }
    public let code: Code
}
