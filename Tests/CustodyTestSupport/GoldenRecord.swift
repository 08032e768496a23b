internal import HDKeys
internal import Threshold
import Wallet

@testable import Ceremonies
@testable import CeremoniesTestSupport
@testable import Custody

/// The description of a wallet, written out.
enum GoldenRecord {
    static let groupKey =
        "0101010202" + "034f355bdcb7cc0af728ef3cceb9615d90684bb5b2ca5f859ab0f0b704075871aa"
        + "023c72addb4fdf09af94f0c94d7fe92a386a7e70cf8a1d85916386bb2535c7b1b1"
        + "029ac20335eb38768d2052be1dbbc3c8f6178407458e51e6b4ad22f1d91758895b"

    static let ecdsaKey =
        "0101010202" + "02335957765e5780de8418cd93a35ea40f765698198db7fa4c6ba69391668b496b"
        + "021922fe69dadeaef1ac674334b11604f70540420383233121074bdf72c3594872"
        + "03e089dabbfa8147c58faffd7a5a12a546fb49ad73916bfca3012788caf61931f0"
    static let ed25519Key =
        "0101020202" + "dcb190082a0295a8c332e7c1df3daa0a2e42892160744faf6ab033538349270a"
        + "a1d20e65a0d19fa41f00077d690049d96de1ffcd4380c735d38c692f4859c108"
        + "afcbe7fde8283f0c6a6d95ff3412135f1e70df2316235b1e0f3fe8d7d5542e4b"

    static let ids = [
        "7eb64f4b07d2e4bb23087b44cc8a616711ed3134be027b0d08c95763312ac03f",
        "a1dee22f31728a3bc6b2cca14f61dc57c8b29f23ca3f8522378522b7f2cf322e",
    ]

    static func share(_ index: Int, _ location: String, id: String) -> String {
        """
            {
              "created_at" : 1700000000,
              "id" : "\(id)",
              "index" : \(index),
              "location" : "\(location)",
              "metadata" : {
                "epoch" : 0,
                "purposes" : [
                  "schnorr",
                  "ecdsa",
                  "ed25519"
                ],
                "threshold" : 2,
                "total" : 2
              },
              "path" : "/shares/\(location).vault"
            }
        """
    }

    static let text = """
        {
          "created_at" : 1700000000,
          "epoch" : 0,
          "format" : 2,
          "keys" : {
            "ecdsa" : "\(ecdsaKey)",
            "ed25519" : "\(ed25519Key)",
            "schnorr" : "\(groupKey)"
          },
          "name" : "known",
          "network" : "regtest",
          "shares" : [
        \(share(1, "device", id: ids[0])),
        \(share(2, "backup", id: ids[1]))
          ]
        }

        """

    /// One field broken, with its error.
    static let breaks: [(String, String, String)] = [
        (#""format" : 2"#, #""format" : 1"#, "its format 1 is not known to this version"),
        (#""format" : 2"#, #""format" : 4"#, "its format 4 is not known to this version"),
        // The description of an imported wallet, which records the import.
        (
            #""format" : 2"#, #""format" : 3"#,
            "its format 3 and what it was imported with contradict each other"
        ),
        (#""name" : "known""#, #""name" : "other""#, "it has another wallet's name"),
        (#""regtest""#, #""moonnet""#, "its network is not known"),
        (#""schnorr" : "0101"#, #""schnorr" : "0102"#, "its keys are not valid"),
        (#""schnorr" : "01"#, #""schnorr" : "0"#, "its keys are not valid"),
        (#""schnorr" : "0101010202034f"#, #""schnorr" : "0101010202024f"#, "its keys are not valid"),
        (#""ecdsa" : "0101"#, #""ecdsa" : "0102"#, "its keys are not valid"),
        (#""ed25519" : "010102"#, #""ed25519" : "010101"#, "its keys are not valid"),
        (#""ecdsa" : "\#(ecdsaKey)"#, #""ecdsa" : "\#(groupKey)"#, "its keys are not valid"),
        (#""ed25519" : "01"#, #""ed448" : "01"#, "its keys are not valid"),
        (#""index" : 2"#, #""index" : 3"#, "its list of shares is not complete"),
        (#""index" : 2"#, #""index" : 1"#, "its list of shares is not complete"),
        (#""location" : "backup""#, #""location" : "recovery""#, "the entry of share 2 contradicts the wallet"),
        (#""threshold" : 2"#, #""threshold" : 1"#, "the entry of share 1 contradicts the wallet"),
        (#""total" : 2"#, #""total" : 3"#, "the entry of share 1 contradicts the wallet"),
        (#""location" : "backup""#, #""location" : "attic""#, "it is not a wallet's description"),
        ("\"schnorr\",\n", "\"paillier\",\n", "it is not a wallet's description"),
        ("\"schnorr\",\n", "", "the entry of share 1 contradicts the wallet"),
        (#""created_at" : 1700000000"#, #""created_at" : "now""#, "it is not a wallet's description"),
        (#""shares""#, #""shards""#, "it is not a wallet's description"),
        (#"{"#, #"["#, "it is not a wallet's description"),
        (#""id" : "\#(ids[0])""#, #""id" : "00""#, "the id of share 1 is another wallet's"),
    ]
}
