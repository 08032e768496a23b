extension JSON {
    /// An object: members in the order in which they are written, no name twice.
    public struct Object: Sendable, Equatable {
        /// One name and its value.
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

            /// Names are equal if they are the same characters, not if they only look alike.
            public static func == (left: Member, right: Member) -> Bool {
                left.name.hasSameBytes(as: right.name) && left.value == right.value
            }
        }

        /// In the order of the text; no name is there twice.
        public let members: [Member]

        /// Creates an object with these members in their order.
        ///
        /// - Throws: ``EncodingError/duplicate(offset:)``, with the number of the second in the list.
        public init(_ members: [Member]) throws(EncodingError) {
            var names = Names()
            for (position, member) in members.enumerated() {
                guard names.insert(member.name, behind: members[..<position]) else {
                    throw .duplicate(offset: position)
                }
            }
            self.members = members
        }

        /// For the reader, which has looked at each name.
        init(unique members: [Member]) { self.members = members }

        /// The value of a member; nil if there is none with this name.
        public subscript(_ name: String) -> JSON? {
            members.first { $0.name.hasSameBytes(as: name) }?.value
        }

        /// The names in their order.
        public var names: [String] { members.map(\.name) }

        /// Which names were there. A `String` would take names for equal that only look alike.
        struct Names {
            /// Those behind the first few, which are compared one by one: that is quicker than to hash them, and most objects have
            /// no more.
            private var others: Set<[UInt8]> = []
            private static let few = 16

            /// Whether the name is new.
            ///
            /// - Parameter members: those whose names were inserted before.
            mutating func insert(_ name: String, behind members: ArraySlice<Member>) -> Bool {
                if members.prefix(Self.few).contains(where: { $0.name.hasSameBytes(as: name) }) { return false }
                return members.count < Self.few || others.insert(Array(name.utf8)).inserted
            }
        }
    }
}

extension String {
    /// Whether both are the same bytes. For `==` it is enough that they look alike.
    fileprivate func hasSameBytes(as other: String) -> Bool {
        // The first two are quick to say no, and say it nearly always.
        utf8.count == other.utf8.count && self == other && utf8.elementsEqual(other.utf8)
    }
}
