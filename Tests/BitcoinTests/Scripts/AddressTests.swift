internal import Bitcoin
import Encoding
internal import HDKeys
import Secrets
import TestSupport
import Testing

@Suite("Addresses")
struct AddressTests {
    /// Made by embit, of the hashes 00010203… and the key 5·G.
    static let samples: [(String, Network, String)] = [
        (
            "bc1p979aung6qusfx4d55ujs5hz39r5ghp9am3se4d7t4r2knvjqaljq6v7ntr", .mainnet,
            "51202f8bde4d1a07209355b4a7250a5c5128e88b84bddc619ab7cba8d569b240efe4"
        ),
        ("bc1qqqqsyqcyq5rqwzqfpg9scrgwpugpzysn4v0345", .mainnet, "0014000102030405060708090a0b0c0d0e0f10111213"),
        ("tb1qqqqsyqcyq5rqwzqfpg9scrgwpugpzysnl25zw8", .testnet, "0014000102030405060708090a0b0c0d0e0f10111213"),
        ("tb1qqqqsyqcyq5rqwzqfpg9scrgwpugpzysnl25zw8", .signet, "0014000102030405060708090a0b0c0d0e0f10111213"),
        (
            "bcrt1qqqqsyqcyq5rqwzqfpg9scrgwpugpzysnzs23v9ccrydpk8qarc0scjhmyt", .regtest,
            "0020000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f"
        ),
        ("112D2adLM3UKy4Z4giRbReR6gjWuvHUqB", .mainnet, "76a914000102030405060708090a0b0c0d0e0f1011121388ac"),
        ("mfWyW5fc9NUj75YAnFgoRLrjxgLDn2MMth", .testnet, "76a914000102030405060708090a0b0c0d0e0f1011121388ac"),
        ("31h38a54tFMrR8kzBnP2241MFD2EUHtGha", .mainnet, "a914000102030405060708090a0b0c0d0e0f1011121387"),
        ("2MsFFCK16VhsCcvPXruztdzzcTZEQCbNKjJ", .regtest, "a914000102030405060708090a0b0c0d0e0f1011121387"),
    ]

    @Test("addresses give their script, and encode to the same text", arguments: samples)
    func known(_ text: String, _ network: Network, _ script: String) throws {
        let address = try Address(text).require(network)
        #expect(address.scriptPubKey == ScriptPubKey(hex(script)))
        #expect(address.description == text)
        #expect(address.network == network)
        #expect(Address<Checked>(ScriptPubKey(hex(script)), on: network) == address)
    }

    @Test("an address of another network is refused")
    func network() throws {
        for (text, network, _) in Self.samples {
            let address = try Address(text)
            for other in Network.allCases where other != network {
                // Base58Check has one prefix for all test networks, and signet uses testnet's.
                let isShared =
                    !text.hasPrefix("bcrt") && network != .mainnet && other != .mainnet
                    && (!text.hasPrefix("tb") || other != .regtest)
                if isShared { continue }
                #expect(throws: BitcoinError.wrongNetwork, "\(text) on \(other)") { try address.require(other) }
            }
        }
        #expect(throws: BitcoinError.wrongNetwork) { try Address(Self.samples[0].0.uppercased()).require(.signet) }
    }

    @Test("every address is parsed on its own network, and Base58Check ones on all test networks")
    func roundTrips() throws {
        let random = SeededRandom(seed: 2)
        for network in Network.allCases {
            for kind: ScriptPubKey.Kind in [
                .p2tr(outputKey: random.publicBytes(count: 32)), .p2wpkh(keyHash: random.publicBytes(count: 20)),
                .p2wsh(scriptHash: random.publicBytes(count: 32)), .p2pkh(keyHash: random.publicBytes(count: 20)),
                .p2sh(scriptHash: random.publicBytes(count: 20)),
            ] {
                let script = ScriptPubKey(kind)
                #expect(script.kind == kind)
                let address = try #require(Address<Checked>(script, on: network))
                #expect(try Address(address.description).require(network) == address)
            }
        }
    }

    @Test(
        "text that is no address is refused",
        arguments: [
            "", "1", "bc1", "bc1q", "hello", "lnbc1abc", "0x0001020304050607080900010203040506070809",
            // Witness versions 16 and 2, and a version 1 program of 40 bytes: valid in BIP-350, and spendable by any
            // miner.
            "bc1sqypq3uvmnu", "bc1zqqqsyqcyq5rqwzqfpg9scrgwpugpzysnzs23v9ccrydpk8qarc0sqfj5af",
            "bc1pqqqsyqcyq5rqwzqfpg9scrgwpugpzysnzs23v9ccrydpk8qarc0jqgfzyvjz2f38wjxkpz",
            // A version 1 program under the checksum of version 0 (BIP-350).
            "bc1pqqqsyqcyq5rqwzqfpg9scrgwpugpzysnzs23v9ccrydpk8qarc0sagmhkq",
            // One character changed, and case mixed.
            "bc1p979aung6qusfx4d55ujs5hz39r5ghp9am3se4d7t4r2knvjqaljq6v7ntp", "112D2adLM3UKy4Z4giRbReR6gjWuvHUqC",
            "bc1qqqqsyqcyq5rqwzqfpg9scrgwpugpzysn4v034Z", "BC1qqqqsyqcyq5rqwzqfpg9scrgwpugpzysn4v0345",
            // Litecoin, and an extended key.
            "ltc1qqqqsyqcyq5rqwzqfpg9scrgwpugpzysn3s44dy",
            "tpubD6NzVbkrYhZ4XgHkCEtfpuZPJDLaLPxu5ZBEtAbub9GcUX1mTS2t3eCnBXS9KN1Xc3hqaxgX2sqN2RiWRnJVCkUXW1T7S5UKBuXzc74pu23",
        ])
    func bad(_ text: String) {
        #expect(throws: BitcoinError.self) { try Address(text) }
    }

    @Test("a Base58Check address of unknown version or size is refused")
    func versions() throws {
        #expect(throws: BitcoinError.badAddress) {
            try Address(Base58Check.encode([0x30] + [UInt8](repeating: 1, count: 20)))
        }
        #expect(throws: BitcoinError.badAddress) {
            try Address(Base58Check.encode([0x00] + [UInt8](repeating: 1, count: 19)))
        }
    }

    @Test("kinds of scripts are distinguished, and similar ones are unknown")
    func kinds() throws {
        #expect(ScriptPubKey([0x6A, 0x01, 0x00]).kind == .opReturn)
        for script in [
            "", "00", "51", "5120", "512000", "0014000102030405060708090a0b0c0d0e0f101112",
            "5220" + String(repeating: "00", count: 32),
            "76a914000102030405060708090a0b0c0d0e0f101112d688ad", "a914000102030405060708090a0b0c0d0e0f101112d688",
            "0020000102030405060708090a0b0c0d0e0f101112d6", "2102" + String(repeating: "11", count: 32) + "ac",
        ] { #expect(ScriptPubKey(hex(script)).kind == .unknown, "\(script)") }
    }

    @Test("dust limits are those of Bitcoin Core")
    func dust() {
        let h20 = [UInt8](repeating: 1, count: 20)
        let h32 = [UInt8](repeating: 1, count: 32)
        for (kind, limit): (ScriptPubKey.Kind, UInt64) in [
            (.p2pkh(keyHash: h20), 546), (.p2sh(scriptHash: h20), 540), (.p2wpkh(keyHash: h20), 294),
            (.p2wsh(scriptHash: h32), 330), (.p2tr(outputKey: h32), 330), (.opReturn, 0),
        ] { #expect(ScriptPubKey(kind).dustLimit.satoshis == limit) }
    }
}
