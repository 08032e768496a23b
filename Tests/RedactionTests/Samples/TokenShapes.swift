/// What tokens of services look like, for generated samples. The shapes were written from the services' documentation and
/// from gitleaks' list of formats, not from the rules in Sources: a rule that is wrong misses its samples.
///
/// In a shape `{u20}` are 20 characters of a class: `h` hexadecimal digits, `H` of both cases, `l` letters and digits, `n`
/// lower-case letters and digits, `U` capital letters and digits, `u` those of base64url, `b` of Base64, `L` letters, `d`
/// digits, `q` those of Bech32.
enum TokenShapes {
    static let all: [(name: String, shape: String)] = [
        ("Adafruit", "aio_{l28}"), ("Adobe", "p8e-{n32}"), ("age", "AGE-SECRET-KEY-1{U58}"),
        ("Airtable", "pat{l14}.{h64}"), ("Alibaba", "LTAI{l20}"), ("Anthropic", "sk-ant-api03-{u93}AA"),
        ("Anthropic admin", "sk-ant-admin01-{u93}AA"), ("Artifactory", "AKCp{l69}"),
        ("Artifactory reference", "cmVmd{l59}"), ("AstraDB", "AstraCS:{l24}:{h64}"),
        ("Atlassian", "ATATT3xFfGF0{u174}"), ("AWS", "AKIA{U16}"), ("AWS session", "ASIA{U16}"),
        ("Azure", "{l3}8Q~{l34}"), ("Bedrock", "ABSK{l128}"), ("Bitbucket", "ATBB{l32}"),
        ("Brevo", "xkeysib-{h64}-{l16}"),
        ("Buildkite", "bkua_{h40}"), ("CircleCI", "CCIPAT_{l22}_{h40}"), ("ClickHouse", "4b1d{l38}"),
        ("Clojars", "CLOJARS_{n60}"), ("Cloudflare origin", "v1.0-{h24}-{h146}"), ("codex32", "ms1{q45}"),
        ("Contentful", "CFPAT-{u43}"), ("crates.io", "cio{l32}"), ("Databricks", "dapi{h32}"),
        ("Defined Networking", "dnkey-{l26}-{l52}"), ("DigitalOcean", "dop_v1_{h64}"),
        ("DigitalOcean OAuth", "doo_v1_{h64}"), ("DigitalOcean refresh", "dor_v1_{h64}"),
        ("Discord", "MT{l22}.{l6}.{l38}"), ("Docker", "dckr_pat_{u27}"), ("Doppler", "dp.pt.{l43}"),
        ("Duffel", "duffel_live_{u43}"), ("Duffel test", "duffel_test_{u43}"), ("Dynatrace", "dt0c01.{U24}.{U64}"),
        ("EasyPost", "EZAK{l54}"), ("EasyPost test", "EZTK{l54}"), ("Facebook", "EAAC{l160}"), ("Figma", "figd_{u40}"),
        ("Fly.io", "fo1_{u43}"), ("Fly.io macaroon", "fm2_{b120}"), ("Flutterwave", "FLWSECK_TEST-{h32}-X"),
        ("Frame.io", "fio-u-{u64}"), ("GitHub", "ghp_{l36}"), ("GitHub app", "ghs_{l36}"),
        ("GitHub fine-grained", "github_pat_{l22}_{l59}"),
        ("GitHub OAuth", "gho_{l36}"), ("GitHub refresh", "ghr_{l36}"), ("GitHub user", "ghu_{l36}"),
        ("GitLab", "glpat-{u20}"), ("GitLab agent", "glagent-{u50}"), ("GitLab deploy", "gldt-{u20}"),
        ("GitLab feature flags", "glffct-{u20}"), ("GitLab feed", "glft-{u20}"), ("GitLab job", "glcbt-{l5}_{u20}"),
        ("GitLab mail", "glimt-{u25}"), ("GitLab OAuth", "gloas-{u64}"), ("GitLab registration", "GR1348941{u20}"),
        ("GitLab routable", "glpat-{u27}.01{n7}"), ("GitLab runner", "glrt-{u20}"), ("GitLab SCIM", "glsoat-{u20}"),
        ("GitLab trigger", "glptt-{h40}"), ("Google", "AIza{u35}"), ("Google OAuth", "GOCSPX-{u28}"),
        ("Google token", "ya29.a0{u80}"), ("Google refresh", "1//0{u100}"), ("Grafana", "glsa_{l32}_{h8}"),
        ("Grafana Cloud", "glc_{b120}"), ("Grafana key", "eyJrIjoi{l90}"), ("Groq", "gsk_{l52}"),
        ("Harness", "pat.{u22}.{l24}.{l20}"), ("Heroku", "HRKU-AA{u58}"),
        ("HubSpot", "pat-na1-{h8}-{h4}-{h4}-{h4}-{h12}"),
        ("Hugging Face", "hf_{L34}"), ("Hugging Face organization", "api_org_{L34}"), ("Infracost", "ico-{l32}"),
        ("Intra 42", "s-s4t2ud-{h64}"), ("LangSmith", "lsv2_pt_{h32}_{h10}"), ("Linear", "lin_api_{l40}"),
        ("Lob", "live_{h35}"), ("Mailchimp", "{h32}-us12"), ("Mailgun", "key-{h32}"), ("Mapbox", "sk.eyJ{l56}.{l22}"),
        ("Netlify", "nfp_{l36}"), ("New Relic", "NRAK-{U27}"), ("New Relic insert", "NRII-{u32}"),
        ("New Relic browser", "NRJS-{h19}"), ("Nostr", "nsec1{q58}"), ("Notion", "ntn_{d11}{l35}"),
        ("Notion, older", "secret_{l43}"), ("npm", "npm_{l36}"), ("NuGet", "oy2{n43}"), ("NVIDIA", "nvapi-{u64}"),
        ("Octopus", "API-{U26}"), ("1Password", "A3-{U6}-{U6}-{U5}-{U5}-{U5}-{U5}"),
        ("1Password service", "ops_eyJ{b250}"),
        ("OpenAI", "sk-{l20}T3BlbkFJ{l20}"), ("OpenAI project", "sk-proj-{u74}T3BlbkFJ{u74}"),
        ("OpenShift", "sha256~{u43}"),
        ("Perplexity", "pplx-{l48}"), ("Pinecone", "pcsk_{l6}_{l63}"), ("PlanetScale", "pscale_tkn_{u43}"),
        ("PlanetScale OAuth", "pscale_oauth_{u43}"), ("PlanetScale password", "pscale_pw_{u43}"),
        ("Plaid", "access-production-{h8}-{h4}-{h4}-{h4}-{h12}"), ("Postman", "PMAK-{h24}-{h34}"),
        ("Prefect", "pnu_{l36}"),
        ("PostHog", "phx_{l43}"), ("Pulumi", "pul-{h40}"), ("PyPI", "pypi-AgEIcHlwaS5vcmc{u120}"),
        ("Readme", "rdme_{n70}"),
        ("Render", "rnd_{l28}"), ("Replicate", "r8_{l37}"), ("Resend", "re_{l8}_{l24}"), ("RubyGems", "rubygems_{h48}"),
        ("Scalingo", "tk-us-{u48}"), ("SendGrid", "SG.{u22}.{u43}"), ("Sentry", "sntryu_{h64}"),
        ("Sentry organization", "sntrys_eyJpYXQiO{l90}_{b43}"), ("SettleMint", "sm_pat_{l16}"),
        ("Shippo", "shippo_live_{h40}"),
        ("Shopify", "shpat_{H32}"), ("Shopify custom", "shpca_{H32}"), ("Shopify private", "shppa_{H32}"),
        ("Shopify secret", "shpss_{H32}"), ("Slack app", "xapp-1-A{U10}-{d13}-{h64}"),
        ("Slack bot", "xoxb-{d12}-{d13}-{l24}"),
        ("Slack configuration", "xoxe.xoxp-1-{U165}"), ("Slack refresh", "xoxe-1-{U146}"),
        ("Slack session", "xoxs-{d12}-{d12}-{d12}-{h10}"),
        ("Slack user", "xoxp-{d12}-{d12}-{d13}-{h32}"), ("Slack workspace", "xoxa-2-{l40}"),
        ("Sourcegraph", "sgp_{h40}"),
        ("Square", "sq0atp-{u22}"), ("Square secret", "sq0csp-{u43}"), ("SonarQube", "squ_{h40}"),
        ("Stripe", "sk_live_{l24}"),
        ("Stripe restricted", "rk_live_{l24}"), ("Stripe test", "sk_test_{l24}"), ("Stripe webhook", "whsec_{l32}"),
        ("Supabase", "sbp_{h40}"), ("Tailscale", "tskey-auth-{l11}-{l32}"), ("Telegram", "{d10}:AA{u33}"),
        ("Terraform", "{l14}.atlasv1.{u66}"), ("Twilio", "SK{h32}"), ("Typeform", "tfp_{u59}"),
        ("Vault", "hvs.{u92}"), ("Vault batch", "hvb.{u140}"), ("xAI", "xai-{l80}"), ("Yandex", "AQVN{u36}"),
    ]

    private static let classes: [Character: [Character]] = {
        let (lower, upper, digits) = ("abcdefghijklmnopqrstuvwxyz", "ABCDEFGHIJKLMNOPQRSTUVWXYZ", "0123456789")
        return [
            "h": Array(digits + "abcdef"), "H": Array(digits + "abcdefABCDEF"), "l": Array(lower + upper + digits),
            "n": Array(lower + digits), "U": Array(upper + digits), "u": Array(lower + upper + digits + "-_"),
            "b": Array(lower + upper + digits + "+/"), "L": Array(lower + upper), "d": Array(digits),
            "q": Array("qpzry9x8gf2tvdw0s3jn54khce6mua7l"),
        ]
    }()

    /// Returns a token of a shape.
    static func sample(_ shape: String, _ random: inout SeededGenerator) -> String {
        var (text, rest) = ("", shape[...])
        while let open = rest.firstIndex(of: "{"), let close = rest.firstIndex(of: "}") {
            text += rest[..<open]
            let part = rest[rest.index(after: open)..<close]
            let characters = part.first.flatMap { classes[$0] } ?? []
            for place in 0..<(Int(part.dropFirst()) ?? 0) {
                // A mark at an end belongs to no token.
                let isEnd = place == 0 || place == (Int(part.dropFirst()) ?? 0) - 1
                let allowed = isEnd ? characters.filter { $0.isLetter || $0.isNumber } : characters
                text.append(allowed.randomElement(using: &random) ?? "?")
            }
            rest = rest[rest.index(after: close)...]
        }
        return text + rest
    }
}
