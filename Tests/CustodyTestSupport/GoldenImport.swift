internal import Encoding
internal import HDKeys
import Wallet

@testable import Ceremonies
@testable import CeremoniesTestSupport
@testable import Custody

/// The description of an imported wallet, written out. It can be recomputed from ``GoldenRecord``'s keys: chain codes
/// of one byte repeated, account 5, below a parent 00112233.
enum GoldenImport {
    static let taproot =
        "tpubDC2RiwGzSCPCLwbkvWvSppituM9UtQUvKyx2kwGaivKCZPuMV3wgjx9VWgd8TtqH8StaLZ1fZj5VRwGE8HbtRYZHhAm3TXogFBLX7VTwtKr"
    static let segwit =
        "tpubDC2RiwGzSCPCLvSWc5Twfwz6yU5pCwvEsrRfRqLmR3tRMXby1busaujWnjdLcaef2T7LcmMsZRnQEpXnnGEKLyQY2cdAqsaMk1CNuHm8VGD"
    static let ethereum =
        "tpubDC2RiwGzSCPCLHLcS2qrmxNmFJ4USHtUThfttZefZEDUon1ZsEurbaWDfaiVH4wA9JRrhNPpTqA8odiuQE1WbNhoWQY5wbxw1wCmSssAFkw"
    static let ids = [
        "c9219bff72376f3a878fb5c99f0f8da468bcc34b0491bbd79d8461edde15e666",
        "16fdef8b3810dabeb317964ca773489286f8087a1d7f8cf9dceb8946e4ff9c2c",
    ]
    static let ethereumIDs = [
        "ec40fa37e9653d12819f235582705377310a5f44d27d7f1ddaf29c2732c3ad5d",
        "29a19d7c87af48a57bdf5c1836f946d5672f5224afc72686d42c03578e5310b8",
    ]

    static let bitcoinPart = """
          "imported" : {
            "chain" : "bitcoin",
            "master" : "73c5da0a",
            "segwit" : "\(segwit)",
            "taproot" : "\(taproot)"
          },

        """
    static let ethereumPart = """
          "imported" : {
            "chain" : "ethereum",
            "ethereum" : "\(ethereum)",
            "master" : "73c5da0a"
          },

        """

    /// The Bitcoin account, with the keys of ``KnownWallet``.
    static let texts = ["chain": "bitcoin", "master": "73c5da0a", "taproot": taproot, "segwit": segwit]

    static func keys() throws -> ImportedPublicKeys {
        guard let keys = ImportedPublicKeys(texts: texts, on: .regtest) else { throw CustodyError.malformedRecord }
        return keys
    }

    static let text = golden(bitcoinPart, ids)
    static let ethereumText = golden(ethereumPart, ethereumIDs)

    /// Like ``GoldenRecord/text``, in format 3, with an additional part and other ids.
    private static func golden(_ part: String, _ ids: [String]) -> String {
        var text = GoldenRecord.text.replacing(#""format" : 2,"# + "\n", with: #""format" : 3,"# + "\n" + part)
        for (own, other) in zip(GoldenRecord.ids, ids) { text = text.replacing(own, with: other) }
        return text
    }

    /// One field broken, with its error.
    static let breaks: [(String, String, String)] = {
        let invalid = "the extended keys that it was imported with are not valid"
        let foreign = "the extended keys that it was imported with are not those of its shares"
        func extended(_ text: String, _ change: ([UInt8]) -> [UInt8]) -> String {
            Base58Check.encode(change((try? Base58Check.decode(text, limit: 78)) ?? []))
        }
        return [
            (#""format" : 3"#, #""format" : 4"#, "its format 4 is not known to this version"),
            (#""format" : 3"#, #""format" : 2"#, "its format 2 and what it was imported with contradict each other"),
            (bitcoinPart, "", "its format 3 and what it was imported with contradict each other"),
            (
                bitcoinPart, "  \"imported\" : null,\n",
                "its format 3 and what it was imported with contradict each other"
            ),
            (bitcoinPart, "  \"imported\" : 1,\n", "it is not a wallet's description"),
            // Another chain code, parent or master is another wallet.
            (taproot, extended(taproot) { $0.flipping(13) }, "the id of share 1 is another wallet's"),
            (segwit, extended(segwit) { $0.flipping(44) }, "the id of share 1 is another wallet's"),
            (segwit, extended(segwit) { $0.flipping(5) }, "the id of share 1 is another wallet's"),
            (#""73c5da0a""#, #""73c5da0b""#, "the id of share 1 is another wallet's"),
            // Another point is not one of the wallet's keys: y of the other parity, or another account's.
            (taproot, extended(taproot) { $0.flipping(45) }, foreign),
            (segwit, extended(segwit) { $0.flipping(45) }, foreign),
            (segwit, taproot, foreign), (taproot, segwit, foreign),
            // Not three steps deep, not hardened, two different numbers, another network.
            (taproot, extended(taproot) { $0.flipping(4) }, invalid),
            (taproot, extended(taproot) { $0.flipping(9, by: 0x80) }, invalid),
            (taproot, extended(taproot) { $0.flipping(12) }, invalid),
            (taproot, extended(taproot) { [0x04, 0x88, 0xB2, 0x1E] + $0.dropFirst(4) }, invalid),
            (taproot, String(taproot.dropLast()) + "1", invalid),
            (#""73c5da0a""#, #""73C5DA0A""#, invalid), (#""73c5da0a""#, #""73c5da""#, invalid),
            (#""chain" : "bitcoin""#, #""chain" : "ethereum""#, invalid),
            (#""chain" : "bitcoin""#, #""chain" : "litecoin""#, invalid),
            (#""chain" : "bitcoin","#, "", invalid), (#""segwit" : "#, #""legacy" : "#, invalid),
            (#""chain" : "bitcoin""#, #""chain" : "bitcoin", "more" : "x""#, invalid),
        ]
    }()
}
