public import Bitcoin
internal import DisplayText
internal import Encoding
public import HDKeys
public import PinnedHTTP

/// An explorer of the Bitcoin chain with Esplora's interface: a user's own electrs, or a public one.
///
/// - Warning: Its operator sees which addresses are requested together, and from where.
public struct EsploraNode: BitcoinChain {
    public let network: Network
    private let address: NodeAddress
    private let transport: any HTTPTransport
    private let patience: NodeRetryPolicy

    /// Connects to an explorer after checking its chain, so that no value exists for one of another chain.
    ///
    /// - Parameter address: the address of the interface, `https://blockstream.info/api`.
    /// - Throws: ``NodeError/wrongChain(expected:found:)``.
    public init(
        at address: NodeAddress, on network: Network, over transport: any HTTPTransport, _ patience: NodeRetryPolicy
    ) async throws(NodeError) {
        (self.network, self.address, self.transport, self.patience) = (network, address, transport, patience)
        let first = try await text("/block-height/0", .chain)
        guard first.isBlockHash else { throw .unexpected(.chain) }
        try Genesis.check(first, for: network)
    }

    // MARK: - Requests

    /// Returns the answer to a request; nil if the object does not exist.
    func found(
        _ path: String, limit: Int = NodeLimits.answerBytes
    ) async throws(NodeError) -> HTTPResponse? {
        try await patience.read { () async throws(NodeError) -> HTTPResponse? in
            let request = NodeRequest(method: .get, path: path, limit: limit, timeout: patience.answerTimeout)
            let response: HTTPResponse
            do throws(NodeRequest.Unanswered) { response = try await request.send(to: address, over: transport) } catch
            {
                throw error.error
            }
            if response.status == 404 { return nil }
            guard response.isSuccess else { throw .status(response.status) }
            return response
        }
    }

    func required(
        _ path: String, limit: Int = NodeLimits.answerBytes
    ) async throws(NodeError) -> HTTPResponse {
        guard let response = try await found(path, limit: limit) else { throw .status(404) }
        return response
    }

    /// Decodes the JSON of a response.
    ///
    /// - Parameter limit: the limit of its size in bytes; the size was checked when it was read.
    func json(_ response: HTTPResponse, limit: Int = NodeLimits.longAnswerBytes) throws(NodeError) -> JSON {
        guard let json = try? JSON(decoding: response.body, limit: limit, depth: NodeLimits.answerDepth) else {
            throw .notJSON(looksLikeHTML: response.looksLikeHTML)
        }
        return json
    }

    /// Returns one word: a number or a hash.
    private func text(_ path: String, _ answer: NodeError.Answer) async throws(NodeError) -> String {
        try Self.word(try await required(path), answer)
    }

    static func word(_ response: HTTPResponse, _ answer: NodeError.Answer) throws(NodeError) -> String {
        guard !response.looksLikeHTML else { throw .notJSON(looksLikeHTML: true) }
        var bytes = response.body
        if bytes.last == UInt8(ascii: "\n") { bytes.removeLast() }
        guard !bytes.isEmpty, bytes.allSatisfy({ (0x21...0x7E).contains($0) }) else { throw .unexpected(answer) }
        return String(decoding: bytes, as: UTF8.self)
    }

    // MARK: - Answers

    public func height() async throws(NodeError) -> UInt32 {
        let word = try await text("/blocks/tip/height", .height)
        guard let height = Int32(word), height >= 0, String(height) == word else { throw .unexpected(.height) }
        return UInt32(height)
    }

    public func transaction(_ id: TransactionID) async throws(NodeError) -> Transaction? {
        guard let response = try await found("/tx/\(id)/hex", limit: NodeLimits.longAnswerBytes) else { return nil }
        return try Transaction(hexadecimal: try Self.word(response, .transaction), expecting: id)
    }

    /// Returns the confirmations; nil while it waits. A block that was found after the request for the height counts as
    /// the newest.
    func confirmations(
        _ status: JSON, tip: UInt32
    ) throws(NodeError) -> (height: UInt32, count: UInt32)? {
        guard let isConfirmed = status["confirmed"]?.bool else { throw .unexpected(.height) }
        guard isConfirmed else { return nil }
        let height = try status["block_height"].required(.height).height()
        guard height <= tip + 1 else { throw .inconsistent(.height) }
        return (height, max(tip, height) - height + 1)
    }

    public func status(of id: TransactionID) async throws(NodeError) -> TransactionStatus {
        let tip = try await height()
        guard let response = try await found("/tx/\(id)/status") else { return .unknown }
        // Some explorers answer with "not confirmed" for unknown transactions.
        guard let place = try confirmations(try json(response), tip: tip) else {
            return try await transaction(id) == nil ? .unknown : .waiting
        }
        return .mined(height: place.height, confirmations: place.count)
    }

    public func feeRates() async throws(NodeError) -> FeeRateSuggestion {
        let estimates = try json(try await required("/fee-estimates"))
        guard estimates.object != nil else { throw .unexpected(.fee) }
        func rate(within blocks: String) throws(NodeError) -> FeeRate? {
            guard let estimate = estimates[blocks] else { return nil }
            guard let number = estimate.number else { throw .unexpected(.fee) }
            return try FeeRate(number, places: 3)
        }
        return FeeRateSuggestion(
            low: try rate(within: "144"), normal: try rate(within: "6"), high: try rate(within: "2"),
            on: network)
    }

    /// Returns `notTold`: Esplora cannot test a transaction.
    public func acceptance(of transaction: Transaction) async throws(NodeError) -> Acceptance { .notTold }

    public func broadcast(_ transaction: Transaction) async throws(NodeError) {
        let id = transaction.id
        let body = Array(Hex.encode(transaction.encoded).utf8)
        let request = NodeRequest(
            method: .post(body, type: "text/plain", .never), path: "/tx", timeout: patience.answerTimeout)
        let response: HTTPResponse
        do throws(NodeRequest.Unanswered) { response = try await request.send(to: address, over: transport) } catch {
            guard error.mayHaveArrived else { throw error.error }
            return try await lookUp(id)
        }
        guard response.isSuccess else {
            // Only a refusal by the explorer's node counts; after any other error the outcome is unknown.
            guard response.status == 400, !response.looksLikeHTML else { return try await lookUp(id) }
            let words = String(decoding: response.body, as: UTF8.self)
            if words.contains("already in") || words.contains("already-in-mempool") { return }
            throw .refused(BitcoinNode.refusal(words), SanitizedText(ofNode: words))
        }
        // An unusable answer does not say whether the explorer accepted the transaction.
        guard (try? Self.word(response, .hash)) == id.description else { return try await lookUp(id) }
    }
}
