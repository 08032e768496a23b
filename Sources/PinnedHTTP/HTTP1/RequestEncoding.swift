extension HTTPRequest {
    /// Encodes the request for the wire (RFC 9112, section 3).
    func encoded(userAgent: String) -> [UInt8] {
        var head = "\(method.rawValue) \(target) HTTP/1.1\r\nHost: \(origin.authority)\r\n"
        if !userAgent.isEmpty { head += "User-Agent: \(userAgent)\r\n" }
        for header in headers { head += "\(header.name): \(header.value)\r\n" }
        // RFC 9110, section 8.6: a method that usually has a body names its length, even if it is zero.
        if !body.isEmpty || [.post, .put, .patch].contains(method) { head += "Content-Length: \(body.count)\r\n" }
        head += "\r\n"
        var bytes: [UInt8] = []
        bytes.reserveCapacity(head.utf8.count + body.count)
        bytes.append(contentsOf: head.utf8)
        bytes.append(contentsOf: body)
        return bytes
    }
}
