extension JSON {
    /// An object: members in the order of the text, without repeated names.
    public struct Object: Sendable, Equatable {
        /// A name and its value.
        public struct Member: Sendable, Equatable {
            /// The name of the member.
            public let name: String
            /// The value of the member.
            public let value: JSON

            /// Creates a member of an object.
            public init(name: String, value: JSON) {
                self.name = name
                self.value = value
            }

            /// Returns whether both are equal. Names are compared by their characters: names that only look alike
            /// differ.
            public static func == (left: Member, right: Member) -> Bool {
                left.name.hasSameBytes(as: right.name) && left.value == right.value
            }
        }

        /// The members in the order of the text, without repeated names.
        public let members: [Member]

        /// Creates an object with these members in their order.
        ///
        /// - Throws: ``EncodingError/duplicate(offset:)``, with the index of the second member in the list.
        public init(_ members: [Member]) throws(EncodingError) {
            var names = Names()
            for (position, member) in members.enumerated() {
                guard names.insert(member.name, behind: members[..<position]) else {
                    throw .duplicate(offset: position)
                }
            }
            self.members = members
        }

        /// Creates an object of members whose names the reader has checked already.
        init(unique members: [Member]) { self.members = members }

        /// Returns the value of a member; nil if no member has this name.
        public subscript(_ name: String) -> JSON? {
            members.first { $0.name.hasSameBytes(as: name) }?.value
        }

        /// The names, in the order of the members.
        public var names: [String] { members.map(\.name) }

        /// The set of names that were read. A `String` would treat names that only look alike as equal.
        struct Names {
            /// The names after the first few. The first ones are compared one by one: that is faster than hashing them,
            /// and most objects have no more.
            private var others: Set<[UInt8]> = []
            private static let few = 16

            /// Inserts a name, and returns whether it is new.
            ///
            /// - Parameter members: the members whose names were inserted before.
            mutating func insert(_ name: String, behind members: ArraySlice<Member>) -> Bool {
                if members.prefix(Self.few).contains(where: { $0.name.hasSameBytes(as: name) }) { return false }
                return members.count < Self.few || others.insert(Array(name.utf8)).inserted
            }
        }
    }
}

extension String {
    /// Returns whether both have the same bytes. For `==` it is enough that they look alike.
    fileprivate func hasSameBytes(as other: String) -> Bool {
        // The first two comparisons are fast, and nearly always find a difference.
        utf8.count == other.utf8.count && self == other && utf8.elementsEqual(other.utf8)
    }
}
