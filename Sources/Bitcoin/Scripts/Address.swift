internal import Encoding
public import HDKeys

/// Whether the network of an address was compared with the wallet's.
public protocol AddressState: Sendable {}
/// The address was parsed, and may belong to another network.
public enum Unchecked: AddressState {}
/// The address belongs to the network of the wallet.
public enum Checked: AddressState {}

/// A Bitcoin address. Text gives an `Address<Unchecked>`, which can only ``require(_:)`` a network; the result of that
/// has a script.
///
/// ```swift
/// let address = try Address("bc1p…").require(.mainnet)
/// ```
///
/// The kinds are P2TR, P2WPKH, P2WSH (BIP-173, BIP-350), P2PKH and P2SH (Base58Check). A witness version without a
/// meaning yet is refused: any miner could take a payment to it.
public struct Address<State: AddressState>: Hashable, Sendable {
    private let kind: ScriptPubKey.Kind
    /// The networks on which the text means the same; one, once the address is checked.
    private let networks: [Network]
}

extension Address where State == Unchecked {
    /// Reads an address of any network.
    ///
    /// - Throws: ``BitcoinError/badSegwitAddress(_:)``, with the likely wrong characters, for a text that was meant as a
    ///   native segwit address; otherwise ``BitcoinError/badAddress``, or ``BitcoinError/malformed(_:)`` if the checksum
    ///   or alphabet of Base58Check is wrong.
    public init(_ text: String) throws(BitcoinError) {
        let prefixes = Set(Network.allCases.map(\.humanReadablePart)).sorted()
        if let (hrp, version, program) = try? SegwitAddress.decode(text), prefixes.contains(hrp) {
            try self.init(hrp: hrp, version: version, program: program)
        } else if let fault = SegwitAddress.fault(in: text, prefixes: prefixes) {
            throw .badSegwitAddress(fault)
        } else {
            try self.init(base58: text)
        }
    }

    private init(hrp: String, version: Int, program: [UInt8]) throws(BitcoinError) {
        switch (version, program.count) {
        case (0, 20): kind = .p2wpkh(keyHash: program)
        case (0, 32): kind = .p2wsh(scriptHash: program)
        case (1, 32): kind = .p2tr(outputKey: program)
        default: throw .badAddress
        }
        networks = Network.allCases.filter { $0.humanReadablePart == hrp }
    }

    private init(base58 text: String) throws(BitcoinError) {
        let payload: [UInt8]
        do { payload = try Base58Check.decode(text, limit: 21) } catch { throw .malformed(error) }
        guard payload.count == 21, let version = payload.first else { throw .badAddress }
        let hash = Array(payload.dropFirst())
        let keys = Network.allCases.filter { $0.publicKeyHashVersion == version }
        let scripts = Network.allCases.filter { $0.scriptHashVersion == version }
        if !keys.isEmpty {
            (kind, networks) = (.p2pkh(keyHash: hash), keys)
        } else if !scripts.isEmpty {
            (kind, networks) = (.p2sh(scriptHash: hash), scripts)
        } else {
            throw .badAddress
        }
    }

    /// Returns the same address, if it belongs to this network.
    ///
    /// - Throws: ``BitcoinError/wrongNetwork``.
    public func require(_ network: Network) throws(BitcoinError) -> Address<Checked> {
        guard networks.contains(network) else { throw .wrongNetwork }
        return Address<Checked>(kind: kind, networks: [network])
    }
}

extension Address where State == Checked {
    /// The address of an output, if its script has one.
    public init?(_ script: ScriptPubKey, on network: Network) {
        switch script.kind {
        case .opReturn, .unknown: return nil
        case let kind: self.init(kind: kind, networks: [network])
        }
    }

    /// The script of an output that pays to it.
    public var scriptPubKey: ScriptPubKey { ScriptPubKey(kind) }

    /// The network; if several share the address's form, the first of them.
    public var network: Network { networks[0] }
}

extension Address: CustomStringConvertible where State == Checked {
    /// The address as text, in lower case if case has no meaning.
    public var description: String {
        switch kind {
        case .p2tr(let program): witness(version: 1, program)
        case .p2wpkh(let program), .p2wsh(let program): witness(version: 0, program)
        case .p2pkh(let hash): Base58Check.encode([network.publicKeyHashVersion] + hash)
        case .p2sh(let hash): Base58Check.encode([network.scriptHashVersion] + hash)
        case .opReturn, .unknown: preconditionFailure("no address is made of such a script")
        }
    }

    private func witness(version: Int, _ program: [UInt8]) -> String {
        guard
            let text = try? SegwitAddress.encode(hrp: network.humanReadablePart, version: version, program: program)
        else { preconditionFailure("versions and sizes were checked when the address was made") }
        return text
    }
}
