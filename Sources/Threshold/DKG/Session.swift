public import Curves

extension DKG {
    /// The terms of a key generation that all participants must agree on before it: the participants, their order, and
    /// the threshold.
    ///
    /// - Warning: An attacker who replaces a host key during the exchange takes that participant's place. Compare
    ///   ``hash`` over an authenticated channel.
    public struct Session<Suite: Ciphersuite>: Equatable, Sendable {
        /// The threshold and the number of participants.
        public let parameters: ThresholdParameters
        /// The public host key of participant i, at i - 1.
        public let hostKeys: [Suite.Group.Point]
        /// The hash of these terms, 32 bytes (ChillDKG `params_hash`).
        public let hash: [UInt8]
        /// The encoding of the threshold and the host keys in hashes.
        let context: [UInt8]

        /// Creates a session of the participants with these host keys, in this order.
        ///
        /// - Parameter hostKeys: the encoded public host key of participant i, at i - 1.
        /// - Throws: ``ThresholdError/invalidParameters``, or ``ThresholdError/keyGeneration(_:)`` with
        ///   ``DKG/Fault/invalidHostKey(of:)`` or ``DKG/Fault/duplicateHostKey(of:and:)``.
        public init(threshold: Int, hostKeys: [[UInt8]]) throws(ThresholdError) {
            try self.init(
                parameters: ThresholdParameters(threshold: threshold, total: hostKeys.count), hostKeys: hostKeys)
        }

        /// Also takes the parameters of published vectors, whose threshold is below our limit.
        package init(parameters: ThresholdParameters, hostKeys encoded: [[UInt8]]) throws(ThresholdError) {
            guard parameters.threshold >= 1, parameters.threshold <= parameters.total,
                parameters.total == encoded.count
            else { throw .invalidParameters }
            var hostKeys: [Suite.Group.Point] = []
            for (index, key) in zip(parameters.indices, encoded) {
                do { hostKeys.append(try Suite.Group.Point(encoded: key)) } catch {
                    throw .keyGeneration(.invalidHostKey(of: index))
                }
            }
            for (position, index) in parameters.indices.enumerated() {
                // Each point has one encoding: equal keys are equal bytes.
                if let first = encoded[..<position].firstIndex(of: encoded[position]) {
                    throw .keyGeneration(.duplicateHostKey(of: parameters.indices[first], and: index))
                }
            }
            self.parameters = parameters
            self.hostKeys = hostKeys
            context = Suite.encode(parameters.threshold) + encoded.joined()
            hash = Array(Suite.hash("params_hash", context).prefix(32))
        }

        /// Returns the participant with this host key; nil if no participant has it.
        public func index(of hostKey: Suite.Group.Point) -> ParticipantIndex? {
            hostKeys.firstIndex(of: hostKey).map { ParticipantIndex(unchecked: $0 + 1) }
        }

        func hostKey(of index: ParticipantIndex) -> Suite.Group.Point { hostKeys[index.value - 1] }
    }
}
