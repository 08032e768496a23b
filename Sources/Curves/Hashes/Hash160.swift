/// RIPEMD-160 of SHA-256: Bitcoin's short hash, 20 bytes.
public enum Hash160 {
    /// Returns the hash of bytes.
    public static func hash(_ bytes: some Collection<UInt8>) -> [UInt8] { RIPEMD160.hash(SHA256.hash(bytes)) }
}
