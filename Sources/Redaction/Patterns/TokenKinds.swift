/// A kind of token that its service marks: what stands in front of it, and what follows.
struct TokenKind {
    let service: String
    let prefix: String
    /// What may follow the prefix, and how many characters of it.
    let body: Characters
    let size: ClosedRange<Int>
    /// Where the format is described: the service's own documentation, or a list of formats that names it.
    let source: Source

    init(_ service: String, _ prefix: String, _ body: Characters, _ size: ClosedRange<Int>, _ source: Source) {
        (self.service, self.prefix, self.body, self.size, self.source) = (service, prefix, body, size, source)
    }

    init(_ service: String, _ prefix: String, _ body: Characters, _ size: Int, _ source: Source) {
        self.init(service, prefix, body, size...size, source)
    }

    enum Source {
        /// The documentation of the service.
        case vendor
        /// The table of formats of gitleaks (config/gitleaks.toml, commit 009e025a): facts only.
        case gitleaks
        /// GitHub's list of secret scanning patterns.
        case github
        /// The text of the standard.
        case standard
    }

    /// The characters of a body.
    struct Characters: OptionSet {
        let rawValue: UInt16

        static let lowerHex = Self(rawValue: 1)
        static let otherLower = Self(rawValue: 2)
        static let upperHex = Self(rawValue: 4)
        static let otherUpper = Self(rawValue: 8)
        static let digits = Self(rawValue: 16)
        static let low = Self(rawValue: 32)
        static let dash = Self(rawValue: 64)
        static let dot = Self(rawValue: 128)
        /// `+` and `/`.
        static let plus = Self(rawValue: 256)
        static let equals = Self(rawValue: 512)
        static let colon = Self(rawValue: 1024)
        static let tilde = Self(rawValue: 2048)

        static let lower: Self = [.lowerHex, .otherLower]
        static let upper: Self = [.upperHex, .otherUpper]
        static let hex: Self = [.digits, .lowerHex]
        static let anyHex: Self = [.digits, .lowerHex, .upperHex]
        static let lowerDigits: Self = [.lower, .digits]
        static let upperDigits: Self = [.upper, .digits]
        static let letters: Self = [.lower, .upper]
        static let base62: Self = [.letters, .digits]
        static let url: Self = [.base62, .low, .dash]
        static let base64: Self = [.base62, .plus, .equals]
        static let dotted: Self = [.url, .dot]

        /// The class of each byte; 0 if it stands in no body.
        static let ofBytes: [UInt16] = (0...255).map { byte in
            let byte = UInt8(byte)
            let one: Self? =
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "f"): .lowerHex
                case UInt8(ascii: "g")...UInt8(ascii: "z"): .otherLower
                case UInt8(ascii: "A")...UInt8(ascii: "F"): .upperHex
                case UInt8(ascii: "G")...UInt8(ascii: "Z"): .otherUpper
                case UInt8(ascii: "0")...UInt8(ascii: "9"): .digits
                case UInt8(ascii: "_"): .low
                case UInt8(ascii: "-"): .dash
                case UInt8(ascii: "."): .dot
                case UInt8(ascii: "+"), UInt8(ascii: "/"): .plus
                case UInt8(ascii: "="): .equals
                case UInt8(ascii: ":"): .colon
                case UInt8(ascii: "~"): .tilde
                default: nil
                }
            return one?.rawValue ?? 0
        }
    }

    /// All kinds. A prefix that begins another one stands behind it.
    static let all: [TokenKind] = [
        // Clouds
        .init("AWS access key", "AKIA", .upperDigits, 16, .vendor),
        .init("AWS temporary key", "ASIA", .upperDigits, 16, .vendor),
        .init("AWS bearer token", "ABIA", .upperDigits, 16, .vendor),
        .init("AWS context credential", "ACCA", .upperDigits, 16, .vendor),
        .init("Amazon Bedrock", "ABSK", .base64, 109...272, .gitleaks),
        .init("Amazon Bedrock, short-lived", "bedrock-api-key-", .base64, 24...4096, .gitleaks),
        .init("Amazon MWS", "amzn.mws.", [.hex, .dash], 36, .github),
        .init("Google API key", "AIza", .url, 35, .gitleaks),
        .init("Google OAuth secret", "GOCSPX-", .url, 28, .github),
        .init("Google OAuth token", "ya29.", .dotted, 20...2048, .github),
        .init("Google refresh token", "1//0", .url, 40...512, .github),
        .init("Alibaba access key", "LTAI", .base62, 12...26, .gitleaks),
        .init("Tencent Cloud", "AKID", .base62, 32, .github),
        .init("DigitalOcean", "dop_v1_", .hex, 64, .gitleaks),
        .init("DigitalOcean OAuth", "doo_v1_", .hex, 64, .gitleaks),
        .init("DigitalOcean refresh", "dor_v1_", .hex, 64, .gitleaks),
        .init("Cloudflare origin CA", "v1.0-", [.hex, .dash], 171, .gitleaks),
        .init("Heroku", "HRKU-", .url, 36...60, .gitleaks),
        .init("Fly.io", "fo1_", .url, 43, .gitleaks),
        .init("Fly.io macaroon, read", "fm1r_", .base64, 100...4096, .gitleaks),
        .init("Fly.io macaroon, all", "fm1a_", .base64, 100...4096, .gitleaks),
        .init("Fly.io macaroon", "fm2_", .base64, 100...4096, .gitleaks),
        .init("Scalingo", "tk-us-", .url, 48, .gitleaks),
        .init("Netlify", "nfp_", .base62, 36...40, .github),
        .init("Render", "rnd_", .base62, 24...40, .github),
        .init("Supabase", "sbp_", .hex, 40, .github),
        .init("Supabase secret", "sb_secret_", .url, 30...64, .github),
        .init("PlanetScale token", "pscale_tkn_", .dotted, 32...64, .gitleaks),
        .init("PlanetScale password", "pscale_pw_", .dotted, 32...64, .gitleaks),
        .init("PlanetScale OAuth", "pscale_oauth_", .dotted, 32...64, .gitleaks),
        .init("ClickHouse", "4b1d", .base62, 38, .gitleaks),
        .init("Databricks", "dapi", .hex, 32, .gitleaks),
        .init("Yandex API key", "AQVN", .url, 35...38, .gitleaks),
        .init("Yandex IAM", "t1.", [.dotted, .equals], 100...512, .gitleaks),
        .init("OpenShift", "sha256~", .url, 43, .gitleaks),
        .init("Tailscale", "tskey-", .url, 20...96, .github),
        .init("Defined Networking", "dnkey-", .url, 79, .gitleaks),
        .init("AstraDB", "AstraCS:", [.base62, .colon], 40...128, .github),
        // Code and packages
        .init("GitHub fine-grained", "github_pat_", [.base62, .low], 40...96, .vendor),
        .init("GitHub", "ghp_", .base62, 30...255, .vendor),
        .init("GitHub OAuth", "gho_", .base62, 30...255, .vendor),
        .init("GitHub user", "ghu_", .base62, 30...255, .vendor),
        .init("GitHub app", "ghs_", .base62, 30...255, .vendor),
        .init("GitHub refresh", "ghr_", .base62, 30...255, .vendor),
        .init("GitLab", "glpat-", .dotted, 20...310, .vendor),
        .init("GitLab deploy", "gldt-", .url, 20...64, .vendor),
        .init("GitLab runner", "glrt-", .dotted, 20...310, .vendor),
        .init("GitLab runner registration", "GR1348941", .url, 20, .vendor),
        .init("GitLab trigger", "glptt-", .url, 20...64, .vendor),
        .init("GitLab feed", "glft-", .url, 20...80, .vendor),
        .init("GitLab incoming mail", "glimt-", .url, 25, .vendor),
        .init("GitLab agent", "glagent-", .url, 50, .vendor),
        .init("GitLab OAuth", "gloas-", .url, 64, .vendor),
        .init("GitLab SCIM", "glsoat-", .url, 20, .vendor),
        .init("GitLab job", "glcbt-", .url, 22...64, .vendor),
        .init("GitLab feature flags", "glffct-", .url, 20, .vendor),
        .init("Bitbucket", "ATBB", .base62, 32, .github),
        .init("Bitbucket Data Center", "BBDC-", .base64, 40...48, .github),
        .init("Atlassian", "ATATT3", [.url, .equals], 150...220, .gitleaks),
        .init("Atlassian container", "ATCTT3", [.url, .equals], 150...220, .github),
        .init("npm", "npm_", .base62, 36, .vendor),
        .init("PyPI", "pypi-", .url, 50...1000, .vendor),
        .init("RubyGems", "rubygems_", .hex, 48, .vendor),
        .init("NuGet", "oy2", .lowerDigits, 43, .github),
        .init("Clojars", "CLOJARS_", .lowerDigits, 60, .gitleaks),
        .init("crates.io", "cio", .base62, 32, .vendor),
        .init("Docker Hub", "dckr_pat_", .url, 27, .vendor),
        .init("Docker organization", "dckr_oat_", .url, 27...40, .github),
        .init("Artifactory", "AKCp", .base62, 69, .gitleaks),
        .init("Artifactory reference", "cmVmd", .base62, 59, .gitleaks),
        .init("Sourcegraph", "sgp_", [.anyHex, .low, .lower], 40...57, .gitleaks),
        .init("SonarQube user", "squ_", .hex, 40, .vendor),
        .init("SonarQube project", "sqp_", .hex, 40, .vendor),
        .init("SonarQube analysis", "sqa_", .hex, 40, .vendor),
        .init("CircleCI", "CCIPAT_", .url, 40...80, .github),
        .init("Buildkite", "bkua_", .hex, 40, .github),
        .init("Harness personal", "pat.", .dotted, 68, .gitleaks),
        .init("Harness service", "sat.", .dotted, 68, .gitleaks),
        .init("Infracost", "ico-", .base62, 32, .gitleaks),
        .init("Octopus Deploy", "API-", .upperDigits, 26, .gitleaks),
        .init("Pulumi", "pul-", .hex, 40, .gitleaks),
        .init("Prefect", "pnu_", .base62, 36, .gitleaks),
        .init("Postman", "PMAK-", [.hex, .dash], 59, .gitleaks),
        .init("Readme", "rdme_", .lowerDigits, 70, .gitleaks),
        .init("Doppler", "dp.pt.", .base62, 40...44, .gitleaks),
        .init("Doppler service", "dp.st.", .dotted, 40...80, .github),
        .init("Vault service", "hvs.", .url, 24...120, .vendor),
        .init("Vault batch", "hvb.", .url, 100...300, .vendor),
        .init("Vault recovery", "hvr.", .url, 24...120, .vendor),
        .init("1Password service account", "ops_", .base64, 100...2048, .gitleaks),
        .init("1Password secret key", "A3-", [.upperDigits, .dash], 36...37, .gitleaks),
        .init("Snyk", "snyk_", [.dotted, .equals], 40...128, .github),
        .init("LaunchDarkly", "sdk-", [.hex, .dash], 36, .github),
        .init("Dynatrace", "dt0c01.", [.upperDigits, .dot], 89, .gitleaks),
        .init("Dynatrace platform", "dt0s01.", [.upperDigits, .dot], 73...89, .github),
        .init("New Relic user", "NRAK-", .upperDigits, 27, .gitleaks),
        .init("New Relic insert", "NRII-", .url, 32, .gitleaks),
        .init("New Relic browser", "NRJS-", .hex, 19, .gitleaks),
        .init("Grafana service account", "glsa_", [.base62, .low], 41, .gitleaks),
        .init("Grafana Cloud", "glc_", .base64, 32...400, .gitleaks),
        .init("Grafana API key", "eyJrIjoi", .base64, 70...400, .gitleaks),
        .init("Sentry organization", "sntrys_", [.base64, .low], 80...512, .gitleaks),
        .init("Sentry user", "sntryu_", .hex, 64, .gitleaks),
        .init("PostHog personal", "phx_", .url, 40...64, .github),
        .init("Confluent", "cflt", .base64, 60, .github),
        // Models
        .init("OpenAI, Anthropic, Stripe test", "sk-", .url, 20...256, .vendor),
        .init("Hugging Face organization", "api_org_", .letters, 34, .gitleaks),
        .init("Hugging Face", "hf_", .base62, 34...40, .gitleaks),
        .init("Groq", "gsk_", .base62, 52, .github),
        .init("xAI", "xai-", .base62, 70...90, .github),
        .init("Perplexity", "pplx-", .base62, 48, .gitleaks),
        .init("NVIDIA", "nvapi-", .url, 60...70, .github),
        .init("Replicate", "r8_", .base62, 37, .github),
        .init("LangSmith personal", "lsv2_pt_", [.hex, .low], 43, .github),
        .init("LangSmith service", "lsv2_sk_", [.hex, .low], 43, .github),
        .init("Pinecone", "pcsk_", [.base62, .low], 60...80, .github),
        .init("Tavily", "tvly-", .url, 32...48, .github),
        // People and messages
        .init("Slack bot", "xoxb-", .url, 20...100, .vendor),
        .init("Slack user", "xoxp-", .url, 20...120, .vendor),
        .init("Slack workspace", "xoxa-", .url, 8...100, .vendor),
        .init("Slack refresh", "xoxr-", .url, 8...100, .vendor),
        .init("Slack legacy", "xoxs-", .url, 20...120, .vendor),
        .init("Slack legacy, other", "xoxo-", .url, 20...120, .vendor),
        .init("Slack client", "xoxc-", .url, 20...120, .vendor),
        .init("Slack cookie", "xoxd-", .base64, 20...400, .vendor),
        .init("Slack configuration", "xoxe.xox", [.url, .dot], 160...180, .vendor),
        .init("Slack configuration refresh", "xoxe-", .url, 28...160, .vendor),
        .init("Slack app", "xapp-", .url, 20...120, .vendor),
        .init("Slack workflow", "xwfp-", .url, 20...120, .vendor),
        .init("Discord user", "mfa.", .url, 84, .github),
        .init("Facebook", "EAA", .base62, 100...400, .gitleaks),
        .init("Twilio", "SK", .anyHex, 32, .vendor),
        .init("SendGrid", "SG.", .dotted, 66, .vendor),
        .init("Mailgun", "key-", .hex, 32, .gitleaks),
        .init("Brevo", "xkeysib-", [.lowerDigits, .upper, .dash], 81, .gitleaks),
        .init("Brevo SMTP", "xsmtpsib-", [.lowerDigits, .upper, .dash], 81, .github),
        .init("Resend", "re_", [.base62, .low], 32...36, .github),
        .init("Telnyx", "KEY0", .url, 40...64, .github),
        .init("Intercom, Notion", "ntn_", .base62, 43...50, .gitleaks),
        .init("Notion, older", "secret_", .base62, 43, .github),
        .init("Airtable", "pat", [.base62, .dot], 79, .gitleaks),
        .init("Linear", "lin_api_", .base62, 40, .gitleaks),
        .init("Linear OAuth", "lin_oauth_", .base62, 40...64, .github),
        .init("Figma", "figd_", .url, 40...44, .github),
        .init("Typeform", "tfp_", .dotted, 40...64, .gitleaks),
        .init("HubSpot", "pat-na1-", [.hex, .dash], 36, .vendor),
        .init("HubSpot, Europe", "pat-eu1-", [.hex, .dash], 36, .vendor),
        .init("Contentful", "CFPAT-", .url, 43, .github),
        .init("Frame.io", "fio-u-", [.url, .equals], 64, .gitleaks),
        .init("Dropbox", "sl.", [.url, .equals], 130...1400, .gitleaks),
        .init("Adobe", "p8e-", .lowerDigits, 32, .gitleaks),
        .init("Mapbox", "sk.eyJ", .dotted, 60...200, .vendor),
        .init("42 Intra", "s-s4t2ud-", .hex, 64, .gitleaks),
        .init("42 Intra, other", "s-s4t2af-", .hex, 64, .gitleaks),
        .init("Duffel, test", "duffel_test_", [.url, .equals], 43, .gitleaks),
        .init("Duffel", "duffel_live_", [.url, .equals], 43, .gitleaks),
        .init("Adafruit", "aio_", .base62, 28, .github),
        .init("WakaTime", "waka_", [.hex, .dash], 36, .github),
        // Trade
        .init("Stripe", "sk_live_", .base62, 10...247, .vendor),
        .init("Stripe, test", "sk_test_", .base62, 10...247, .vendor),
        .init("Stripe, production", "sk_prod_", .base62, 10...247, .vendor),
        .init("Stripe restricted", "rk_live_", .base62, 10...247, .vendor),
        .init("Stripe restricted, test", "rk_test_", .base62, 10...247, .vendor),
        .init("Stripe restricted, production", "rk_prod_", .base62, 10...247, .vendor),
        .init("Stripe webhook", "whsec_", .base64, 24...80, .vendor),
        .init("Freemius", "sk_", .base62, 20...64, .gitleaks),
        .init("Square", "sq0atp-", .url, 22...60, .vendor),
        .init("Square secret", "sq0csp-", .url, 43...60, .vendor),
        .init("Square access token", "EAAA", .url, 60, .vendor),
        .init("Shopify", "shpat_", .anyHex, 32, .vendor),
        .init("Shopify custom app", "shpca_", .anyHex, 32, .vendor),
        .init("Shopify private app", "shppa_", .anyHex, 32, .vendor),
        .init("Shopify secret", "shpss_", .anyHex, 32, .vendor),
        .init("Shippo", "shippo_live_", .anyHex, 40, .gitleaks),
        .init("Shippo, test", "shippo_test_", .anyHex, 40, .gitleaks),
        .init("EasyPost", "EZAK", .base62, 54, .gitleaks),
        .init("EasyPost, test", "EZTK", .base62, 54, .gitleaks),
        .init("Flutterwave, test", "FLWSECK_TEST-", [.base62, .dash], 12...34, .gitleaks),
        .init("Flutterwave", "FLWSECK-", [.base62, .dash], 34...46, .github),
        .init("Razorpay", "rzp_live_", .base62, 14, .github),
        .init("Plaid, sandbox", "access-sandbox-", [.hex, .dash], 36, .gitleaks),
        .init("Plaid", "access-production-", [.hex, .dash], 36, .gitleaks),
        .init("Plaid, development", "access-development-", [.hex, .dash], 36, .gitleaks),
        .init("GoCardless, Lob", "live_", .url, 35...40, .gitleaks),
        .init("Lob, test", "test_", .hex, 35, .gitleaks),
        .init("SettleMint", "sm_aat_", .base62, 16, .gitleaks),
        .init("SettleMint personal", "sm_pat_", .base62, 16, .gitleaks),
        .init("SettleMint service", "sm_sat_", .base62, 16, .gitleaks),
        // Keys of standards
        .init("age", "AGE-SECRET-KEY-1", .upperDigits, 58, .standard),
        .init("age, post-quantum", "AGE-SECRET-KEY-PQ-1", .upperDigits, 58...80, .standard),
        .init("Nostr (NIP-19)", "nsec1", .lowerDigits, 58, .standard),
        .init("codex32 (BIP-93)", "ms1", .lowerDigits, 45...124, .standard),
        .init("Cardano (CIP-5)", "ed25519_sk1", .lowerDigits, 58, .standard),
        .init("Cardano extended (CIP-5)", "addr_xsk1", .lowerDigits, 150...170, .standard),
        .init("Cardano root (CIP-5)", "root_xsk1", .lowerDigits, 150...170, .standard),
        .init("Tezos", "edsk", .base62, 50...94, .vendor),
        .init("Paseto, local (v4)", "k4.local.", .url, 43, .standard),
        .init("Paseto, secret (v4)", "k4.secret.", .url, 86, .standard),
    ]
}

/// The kinds by the beginning of their prefixes: a scan asks for every word.
struct TokenTable {
    private struct Entry {
        let prefix: [UInt8]
        let kind: TokenKind
    }

    /// One bit for each beginning of three characters, as a number of 15 bits.
    private let beginnings: [UInt64]
    private let entries: [UInt16: [Entry]]

    init(_ kinds: [TokenKind]) {
        var (beginnings, entries) = ([UInt64](repeating: 0, count: 1 << 9), [UInt16: [Entry]]())
        for kind in kinds {
            let prefix = Array(kind.prefix.utf8)
            for third in prefix.count > 2 ? [prefix[2]] : Array(0...255) {
                let beginning = Self.beginning(prefix[0], prefix[1], third)
                beginnings[beginning >> 6] |= 1 << UInt64(beginning & 63)
            }
            entries[UInt16(prefix[0]) << 8 | UInt16(prefix[1]), default: []].append(Entry(prefix: prefix, kind: kind))
        }
        (self.beginnings, self.entries) = (beginnings, entries)
    }

    @inline(__always) private static func beginning(_ first: UInt8, _ second: UInt8, _ third: UInt8) -> Int {
        (Int(first) &* 961 &+ Int(second) &* 31 &+ Int(third)) & 0x7FFF
    }

    /// Whether a word that begins so may begin a token.
    @inline(__always) func mayBegin(_ first: UInt8, _ second: UInt8, _ third: UInt8) -> Bool {
        let beginning = Self.beginning(first, second, third)
        return beginnings[beginning >> 6] >> UInt64(beginning & 63) & 1 != 0
    }

    /// Returns the end of the token that begins at the start of a word; if there is none, the end of what was read.
    func end(of start: Int, in text: ScannedText) -> (place: Int, isToken: Bool) {
        guard start + 1 < text.count, let entries = entries[UInt16(text[start]) << 8 | UInt16(text[start + 1])] else {
            return (start, false)
        }
        var (longest, read) = (0, start)
        for entry in entries where text[start...].starts(with: entry.prefix) {
            let (end, isToken) = Self.end(of: entry.kind, from: start + entry.prefix.count, in: text)
            read = max(read, end)
            // Base64 of a picture has every short prefix: a token without a mark does not stand in a long run of Base64.
            let isMarked = entry.prefix.contains { !$0.isAlphanumeric } || entry.kind.body.contains(.plus)
            guard isToken, isMarked || !isPartOfBase64(start..<end, in: text) else { continue }
            longest = max(longest, end)
        }
        return longest > 0 ? (longest, true) : (read, false)
    }

    /// Whether a text continues before or behind it as Base64, and for longer than the parts of a path do.
    private func isPartOfBase64(_ range: Range<Int>, in text: ScannedText) -> Bool {
        let before = range.lowerBound > 0 && text[range.lowerBound - 1].isBase64Sign
        let behind = range.upperBound < text.count && text[range.upperBound].isBase64Sign
        guard before || behind else { return false }
        var count = 0
        var place = range.lowerBound
        while before, place > 0, count < Self.longestPath,
            text[place - 1].isAlphanumeric || text[place - 1].isBase64Sign
        {
            place -= 1
            count += 1
        }
        place = range.upperBound
        while behind, place < text.count, count < Self.longestPath,
            text[place].isAlphanumeric || text[place].isBase64Sign
        {
            place += 1
            count += 1
        }
        return count == Self.longestPath
    }

    /// The bytes around a token that may be the parts of a path.
    private static let longestPath = 64

    /// Returns the end of the characters that may follow a prefix, and whether they are a token.
    private static func end(of kind: TokenKind, from start: Int, in text: ScannedText) -> (place: Int, isToken: Bool) {
        let (body, most) = (kind.body.rawValue, kind.size.upperBound)
        var end = start
        while end < text.count, end - start <= most, TokenKind.Characters.ofBytes[Int(text[end])] & body != 0 {
            end += 1
        }
        let read = end
        // A sentence's own mark, and the dash before the next word.
        while end > start, text[end - 1] == UInt8(ascii: ".") || text[end - 1] == UInt8(ascii: ":") { end -= 1 }
        guard kind.size.contains(end - start), end == text.count || !text[end].isAlphanumeric,
            // Names of programs have marks between their words.
            Randomness.isRandom(
                text[start..<end],
                isWords: kind.body.contains(.otherLower) && !kind.body.isDisjoint(with: [.low, .dash, .dot]),
                isMarked: kind.size.count == 1 || kind.prefix.utf8.count >= 5)
        else { return (read, false) }
        return (end, true)
    }
}

extension UInt8 {
    fileprivate var isBase64Sign: Bool { self == UInt8(ascii: "+") || self == UInt8(ascii: "/") }
}
