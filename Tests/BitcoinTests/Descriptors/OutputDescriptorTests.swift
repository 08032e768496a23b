import Curves
import TestSupport
import Testing

@testable import Bitcoin
@testable import HDKeys

@Suite("Output descriptors")
struct OutputDescriptorTests {
    /// Written by embit for 7·G.
    static let body =
        "tr(xpub661MyMwAqRbcFt6tk3uaczE1y6EvM1TqXvawXcYmFEWijEM4PDBnuCXwwVMMns4Hp9AvyPAeVn1KLFDu2vTFKK2ESQhokYp5bwwar8gYex7"

    @Test("a descriptor matches embit's, with its checksum")
    func known() throws {
        let group = Secp256k1.Point.generator.multipliedVariableTime(by: Scalar(7))
        let descriptor = try TaprootAccount(groupKey: group, network: .mainnet).descriptor
        #expect(descriptor.text == Self.body + "/<0;1>/*)#y0malasp")
        #expect(descriptor.text(of: .change) == Self.body + "/1/*)#n5xasn94")
        #expect(try OutputDescriptor(Self.body + "/<0;1>/*)#y0malasp", on: .mainnet) == descriptor)
    }

    @Test("a P2WPKH descriptor matches embit's for the untweaked point")
    func segwit() throws {
        let body =
            "wpkh(xpub661MyMwAqRbcFt6tk3uaczE1y6EvM1TqXvawXcYmFEWijEM4PDBnuCXwwYXzXSFqkJevk1PbxAxDiE25HDTB3SPJmXTDrcmKHaaX1HxYzwE"
        let group = Secp256k1.Point.generator.multipliedVariableTime(by: Scalar(6))
        let descriptor = try SegwitAccount(groupKey: group, network: .mainnet).descriptor
        #expect(descriptor.text == body + "/<0;1>/*)#nt83ycyy")
        #expect(descriptor.text(of: .change) == body + "/1/*)#nh0uh5qh")
        #expect(try OutputDescriptor(descriptor.text, on: .mainnet) == descriptor)
        // The same key has another descriptor for taproot.
        let taproot = OutputDescriptor(.taproot, key: descriptor.key, network: .mainnet)
        #expect(try OutputDescriptor(taproot.text, on: .mainnet) != descriptor)
    }

    @Test("a checksum that is missing, wrong, or of another size is refused")
    func checksum() throws {
        let body = Self.body + "/<0;1>/*)"
        #expect(try DescriptorChecksum.body(of: body + "#y0malasp") == body)
        for text in [
            body, body + "#", body + "#y0malasq", body + "#y0malas", body + "#y0malaspp", body + "##0malasp",
            body.replacing("xpub", with: "xpuc") + "#y0malasp", "raw(Ü)#00000000", "#", "",
        ] { #expect(throws: BitcoinError.badDescriptor, "\(text)") { try DescriptorChecksum.body(of: text) } }
    }

    @Test("the standard's example has its checksum")
    func vectors() throws {
        let file = try Vectors.json("bip380")
        #expect(try DescriptorChecksum.of(file["descriptor"].string) == file["checksum"].string)
    }

    @Test("a descriptor is read back, and any other form is refused")
    func roundTrip() throws {
        let account = try TaprootAccount(groupKey: .generator, network: .signet)
        let descriptor = account.descriptor
        #expect(descriptor.text.hasPrefix("tr(tpub"))
        #expect(try OutputDescriptor(descriptor.text, on: .signet) == descriptor)
        #expect(throws: BitcoinError.key(.wrongNetwork)) { try OutputDescriptor(descriptor.text, on: .mainnet) }
        let key = account.key.text(on: .signet)
        for body in [
            "pkh(\(key)/<0;1>/*)", "wpkh(\(key)/0/*)", "wpkh(/<0;1>/*)", "tr(\(key)/<1;0>/*)", "tr(\(key)/0/*)",
            "tr(\(key))", "tr(/<0;1>/*)", "tr(", "",
        ] {
            let text = body + "#" + (DescriptorChecksum.of(body) ?? "")
            #expect(throws: BitcoinError.badDescriptor, "\(body)") { try OutputDescriptor(text, on: .signet) }
        }
        let long = "tr(" + String(repeating: "1", count: BitcoinLimits.descriptorBytes) + "/<0;1>/*)"
        #expect(throws: BitcoinError.badDescriptor) {
            try OutputDescriptor(long + "#" + (DescriptorChecksum.of(long) ?? ""), on: .signet)
        }
        for body in ["tr([00000000/86']\(key)/<0;1>/*)", "tr(\(key)/7/<0;1>/*)"] {
            let text = body + "#" + (DescriptorChecksum.of(body) ?? "")
            #expect(throws: BitcoinError.self, "\(body)") { try OutputDescriptor(text, on: .signet) }
        }
    }
}
