/// A whole answer to a request, whatever its status is. Its text has the status only.
public struct HTTPResponse: Sendable, CustomStringConvertible, CustomReflectable {
    /// The status code, from 200 to 599.
    public let status: Int
    /// The headers, in their order.
    public let headers: [HTTPHeader]
    /// The whole body.
    public let body: [UInt8]

    /// Creates an answer.
    public init(status: Int, headers: [HTTPHeader] = [], body: [UInt8]) {
        self.status = status
        self.headers = headers
        self.body = body
    }

    public var description: String { "\(status)" }
    public var customMirror: Mirror { Mirror(self, children: []) }

    /// Whether the status is one of success.
    public var isSuccess: Bool { (200..<300).contains(status) }

    /// Returns the value of the first header of this name, in upper or lower case.
    public func header(_ name: String) -> String? {
        let name = name.lowercased()
        return headers.first { $0.name.lowercased() == name }?.value
    }
}
