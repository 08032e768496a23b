import HDKeys

@testable internal import Bitcoin

/// Addresses that were found by a search: each pair has the same four characters at the beginning, after the common
/// prefix of the kind, and at the end. The others share only the beginning, or the last three characters, with the
/// first of the pair.
enum LookAlikes {
    struct Pair {
        let known: Address<Checked>
        let double: Address<Checked>
        let others: [Address<Checked>]
    }

    static func pairs(on network: Network) throws -> [Pair] {
        let lists = network == .mainnet ? mainnet : testBase58 + (network == .regtest ? regtest : testnet)
        return try lists.map { texts in
            let addresses = try texts.map { try Address<Unchecked>($0).require(network) }
            return Pair(known: addresses[0], double: addresses[1], others: Array(addresses.dropFirst(2)))
        }
    }

    /// The ends of the last pair differ in case.
    private static let mainnet = [
        [
            "1KMJ3XwhurbjomFnLZUYrhBUkkdVXHuHN6",
            "1KMJ3cq8UBCwi8fBYd9DHYKCvtpKGbuHN6",
            "1KMJ3Tm9sPSNu26QJfn7oMWimwJfXwZ4p1",
            "1NLZsrn9gqna7qDd3P1uHaGPaJPNnLfHN6",
        ],
        [
            "39uWZfZ2kKZ7xH9XPM3i2j39xaGZ3A57KK",
            "39uWZhdDG93S2RwTeyB4Qtb5Z4yptt57KK",
            "39uWZbD3deYAsB4FArG8XVNAcYFYNNM6ep",
            "3Gkrph2BAzrdLiEWcJPhC2J1bspyyyt7KK",
        ],
        [
            "bc1qrja72pnyyp8h3vcyq5c4uvunf3gzxuyezkpnf2",
            "bc1qrja7thdeyxyekz9rq9a54vxkyydlyteef8pnf2",
            "bc1qrja7t9g4eere7shccnhf94qgpu7ea33g8txlwl",
            "bc1qzvqvgg23jv6mfftfflhcp0cfqnlds78ph9vnf2",
        ],
        [
            "bc1q5tzq3fewtuqpzpzuxqg69l3y0rzmvrx6jzwpf6hnekmufpmqyfzs9evg94",
            "bc1q5tzqsv0w78gaur5vgfrhn4kchy8xkp237qd4mc2tugqnkvk72yfqk4vg94",
            "bc1q5tzqsujlk9zywmvphw32lf4xrf7r0g52mrnvxypj3wzxt7uefvdqha3cny",
            "bc1qpjud763q5vx2vqej0x0xhyqq30yxll36znvls0qvplk4vcpyw9usrpug94",
        ],
        [
            "bc1phepgawx7fnf5vf8huytdse7m757d0g53gn74s3ljvn9vfsyfj0xqsmuy7n",
            "bc1phepguemxpuelrrjzdujyduycm9mef9dnyg5qzke6hwdfyedwhlfqpcuy7n",
            "bc1phepga65z82c0jgmd3mxlfyzxy0traejk7xp2wczdnparjtga5v8qm7mgyd",
            "bc1p74nyrq952x56tan88dx85g3g2uvpze7sd09zlfateqx6c520qn4q05qy7n",
        ],
        [
            "1J8zEouvbtz3xfRVn4KYtz7BsCRkUTdxP2",
            "1J8zEgcruT6s7ATFkiK7bHGKJ3Dv12Dxp2",
        ],
    ]
    private static let testBase58 = [
        [
            "mykJy9nHfHzj7XQhcdLX8eePnKSf2h4V3z",
            "mykJy3T2DByWYqydkL5STc9MAbSLri4V3z",
            "mykJy3f9BiNfYDRyLuNpi5HsJLgcb3jkCP",
            "mxuPKZmqjojxt5fdvKZqy5kP8WzmBDDV3z",
        ],
        [
            "2NG962c2J5GUR4SkXDshhPmc1ME57Jnu8qc",
            "2NG962YffK9DLfSSEoedLtpXNXrDyn5u8qc",
            "2NG962V6A2u9SsTcJQiMQDNP1JPHVxSCyHz",
            "2N43A12XeDHdTAXNmwavg5pBn1zsqc9T8qc",
        ],
    ]
    private static let testnet = [
        [
            "tb1qeyflr6n52lr6xwf9u8v42kxnmahtg7j5e5p39s",
            "tb1qeyflz2gp2st244qxdq490afmft7jrp8arup39s",
            "tb1qeyflzsehvu9zduasn4nep6g5d68ecr8tvqnptv",
            "tb1qechj4y4lymd4m6h9eucuf0wx0jnkmtrzqt839s",
        ],
        [
            "tb1qa2k3s42new4k50whnyrzs5qngvs2cff7wv8036jzg3x564sqt62sc49s7g",
            "tb1qa2k33zw0qtvd2q2ax0m5ecfk9xqfamnw3h2e5urc23hm88gc4xrsxw9s7g",
            "tb1qa2k3sv7dwn6ju676m2lv7aujrffpmzgg8ms44spgmu4ezpa2aunqsevzdl",
            "tb1qxt5dn8mqwdlf20hcd8khktxzzevweca43328rl9p9e5wwsgf4rqs85ks7g",
        ],
        [
            "tb1pqp982yxmsudzl2nmtcrvxcjpxu4p0wee8pw95azjqv0sdtwpf7vswl6tw5",
            "tb1pqp98te0p0mv9lmyrssa0kl586dyweyu3gl26gxpxzk6f4wjhxm5q7y6tw5",
            "tb1pqp98tvsxyrtxaemnrhprf78ru562tl6ytmack3zgsjufazj67snqef27j3",
            "tb1pm5l0g7h8dyt4se97xav8lgp9y2z2qg9mgwr0xwmehe898393cpmsqgptw5",
        ],
    ]
    private static let regtest = [
        [
            "bcrt1qgwkv0x0q66rslj6cc2v29qkvgsupmqpjtdkmvp",
            "bcrt1qgwkvwqyc7l0vv9drzpacuxgc0qhjghccs2kmvp",
            "bcrt1qgwkvww625tryj28q3gqs8vv9kg0zd256rmyq27",
            "bcrt1qpjegxwd3mnr36znm5t4ekgsrthpccjtwrz4mvp",
        ],
        [
            "bcrt1qqd4hz334lp3qq35slhrthp2hecgm8ty5pmarwer27xhcs7keheysehk98e",
            "bcrt1qqd4hryfwnz99ce396kqyawfr52e4yu0k43qt3crgc2vu7vlvppcqf8k98e",
            "bcrt1qqd4hzs72qy20vefrr5hx978j7ukjsavr68gu89mndhn8593udzvsl7vve6",
            "bcrt1qrltw9kypl77pzdsg45g3jnsp8h6g0wrsc24d4zafkx2tv500ts6qlul98e",
        ],
        [
            "bcrt1puh8pn04hsprl3ht80xr6z42rp4kpq72rrvpvw9uj94fx7k85wknqqljszs",
            "bcrt1puh8pj5ypt8s0faqptmtwxx7gpw8kl503jejvrcn3la7v7x67ukfs4wjszs",
            "bcrt1puh8pnmyyakx9l4v0rjzagnzc5vhkhghk948a38wnvchgmw92parq3tztny",
            "bcrt1p4uqn2m4nwkw0mq5yykhzwyj30ceke5sw75mdqss05c84ywhs8egq35uszs",
        ],
    ]
}
