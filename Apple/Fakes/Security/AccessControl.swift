/// An access control that shows what it was made of, in place of the stub.
public final class SecAccessControl {
    public let protection: CFString
    public let flags: SecAccessControlCreateFlags

    init(_ protection: CFString, _ flags: SecAccessControlCreateFlags) {
        self.protection = protection
        self.flags = flags
    }
}

public struct SecAccessControlCreateFlags: OptionSet, Sendable {
    public let rawValue: CFOptionFlags
    public init(rawValue: CFOptionFlags) { self.rawValue = rawValue }
}

public func SecAccessControlCreateWithFlags(
    _ allocator: CFAllocator?, _ protection: CFString, _ flags: SecAccessControlCreateFlags,
    _ error: UnsafeMutablePointer<Unmanaged<CFError>?>?
) -> SecAccessControl? {
    guard flags.rawValue != 1 << 20 else {
        error?.pointee = Unmanaged.passRetained(NSError(domain: "NSOSStatusErrorDomain", code: -50))
        return nil
    }
    return SecAccessControl(protection, flags)
}
