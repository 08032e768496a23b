public import HDKeys

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#elseif canImport(Darwin)
    internal import Darwin
#endif

/// A node of Bitcoin Core on this machine, with its default configuration: its port and its cookie file.
public struct LocalBitcoinCore: Equatable, Sendable {
    /// `http://127.0.0.1:8332`, with the port of the network.
    public let address: String
    /// The file with the password that the node makes at each start.
    public let cookieFile: String

    /// Looks for the cookie of a node that runs, or that ran and was not stopped cleanly.
    ///
    /// - Parameters:
    ///   - network: the node's network.
    ///   - home: the user's home folder.
    /// - Returns: nil without a cookie: no node of this network has its data in the usual folder.
    public static func find(for network: Network, home: String) -> LocalBitcoinCore? {
        #if os(macOS)
            let data = "\(home)/Library/Application Support/Bitcoin"
        #else
            let data = "\(home)/.bitcoin"
        #endif
        // doc/files.md and chainparamsbase.cpp of Bitcoin Core; testnet3 and testnet4 are one network here.
        let places: [(folder: String, port: Int)] =
            switch network {
            case .mainnet: [("", 8332)]
            case .testnet: [("/testnet4", 48_332), ("/testnet3", 18_332)]
            case .signet: [("/signet", 38_332)]
            case .regtest: [("/regtest", 18_443)]
            }
        for place in places {
            let cookie = "\(data)\(place.folder)/.cookie"
            if access(cookie, R_OK) == 0 {
                return LocalBitcoinCore(address: "http://127.0.0.1:\(place.port)", cookieFile: cookie)
            }
        }
        return nil
    }
}
