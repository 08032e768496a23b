// swift-tools-version: 6.2
import PackageDescription

// An app outside the package: it depends on the libraries by path, where your app uses a URL, and pays with them.
let package = Package(
    name: "Pay",
    platforms: [.macOS(.v15)],
    dependencies: [.package(name: "fueki", path: "../..")],
    targets: [
        .executableTarget(
            name: "Pay",
            dependencies: [
                "Payments", "SigningSession", "Amounts", "Custody", "Nodes", "PinnedHTTP", "Bitcoin", "Ethereum",
                "Wallet",
                "Secrets",
            ].map {
                .product(name: $0, package: "fueki")
            })
    ],
    swiftLanguageModes: [.v6]
)
