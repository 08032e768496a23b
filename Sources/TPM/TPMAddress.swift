#if canImport(Glibc)
    public import SecureStorage

    /// The address of a TPM: a transport of tpm2-tss and its place, such as `device:/dev/tpmrm0`.
    ///
    /// The transports are `device` (a device file), `swtpm` (an emulator on a unix socket, for tests: `swtpm:path=…`)
    /// and `tabrmd` (the resource manager on D-Bus). Others are refused, since tpm2-tss loads a library of the
    /// transport's name.
    public struct TPMAddress: Equatable, Sendable, CustomStringConvertible {
        /// The text that tpm2-tss reads.
        public let description: String
        /// The name of the transport.
        let transport: String
        /// The path of the device or the socket; nil if the transport has none.
        let path: String?

        /// The TPM behind the kernel's resource manager, where programs do not compete for the chip's few slots.
        public static let resourceManager = TPMAddress("device", path: "/dev/tpmrm0", text: "device:/dev/tpmrm0")

        private init(_ transport: String, path: String?, text: String) {
            (self.transport, self.path, description) = (transport, path, text)
        }

        /// Checks an address. - Throws: `SecureStorageError.outsideLimits(_:)`.
        public init(_ text: String) throws(SecureStorageError) {
            guard text.utf8.count <= Limits.address, text.utf8.allSatisfy({ (0x21...0x7e).contains($0) })
            else { throw .outsideLimits(.name) }
            let place = text.firstIndex(of: ":").map { String(text[text.index(after: $0)...]) }
            switch (text.prefix { $0 != ":" }, place) {
            case ("device", let path?) where path.hasPrefix("/"): self.init("device", path: path, text: text)
            case ("swtpm", let place?) where place.hasPrefix("path=/"):
                self.init("swtpm", path: String(place.dropFirst("path=".count)), text: text)
            case ("tabrmd", _): self.init("tabrmd", path: nil, text: text)
            default: throw .outsideLimits(.name)
            }
        }
    }
#endif
