internal import TestSupport
internal import Testing

@testable internal import AuditLog

@Suite("The Merkle tree")
struct TreeTests {
    /// The leaves and roots of the reference implementation of Certificate Transparency.
    static let leaves = [
        "", "00", "10", "2021", "3031", "40414243", "5051525354555657", "606162636465666768696a6b6c6d6e6f",
    ]
    static let roots = [
        "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
        "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d",
        "fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125",
        "aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77",
        "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7",
        "4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4",
        "76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef",
        "ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c",
        "5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328",
    ]

    @Test("the trees of zero to eight reference leaves have the published roots")
    func known() throws {
        var tree = GrowingTree()
        let hashes = Self.leaves.map { TreeHash.leaf(hex($0)) }
        for (size, root) in Self.roots.enumerated() {
            #expect(hex(tree.root.bytes) == root)
            #expect(hex(try MemoryTree(leaves: hashes).root(size: UInt64(size)).bytes) == root)
            if size < hashes.count { tree.append(hashes[size]) { _ in } }
        }
    }

    @Test("a growing tree has the root of the definition, and reports each hash above the leaves once")
    func growing() throws {
        let reference = MemoryTree(70_000)
        var tree = GrowingTree()
        var placed: [GrowingTree.Placed] = []
        for (index, leaf) in reference.leaves.enumerated() {
            tree.append(leaf) { placed.append($0) }
            if [1, 2, 255, 256, 257, 511, 512, 513, 1_000].contains(index + 1) {
                #expect(tree.root == MemoryTree.root(reference.leaves.prefix(index + 1)), "\(index + 1)")
            }
        }
        #expect(tree.root == MemoryTree.root(reference.leaves[...]))
        #expect(placed.count == 273 + 1)
        for hash in placed.prefix(3) + placed.suffix(2) {
            #expect(
                try reference.tile(level: hash.level, index: hash.index >> 8, width: Int(hash.index & 255) + 1).last
                    == hash.hash)
        }
        // A tree that continues from stored hashes is the same tree.
        let size: UInt64 = 513
        var continued = try GrowingTree(size: size, from: reference)
        for leaf in reference.leaves[513..<1_000] { continued.append(leaf) { _ in } }
        #expect(continued.root == MemoryTree.root(reference.leaves.prefix(1_000)))
    }

    @Test("every leaf of every tree of up to 40 leaves has a proof, which proves nothing else")
    func inclusion() throws {
        let tree = MemoryTree(40)
        for size in 1...UInt64(40) {
            let root = try tree.root(size: size)
            for index in 0..<size {
                let path = try tree.inclusionProof(of: index, size: size)
                let leaf = tree.leaves[Int(index)]
                func verifies(
                    _ leaf: TreeHash, _ index: UInt64, _ path: [TreeHash], _ size: UInt64, _ root: TreeHash
                ) -> Bool {
                    TreeProof.verifies(inclusionOf: leaf, at: index, path: path, size: size, root: root)
                }
                #expect(verifies(leaf, index, path, size, root))
                #expect(!verifies(.empty, index, path, size, root))
                #expect(!verifies(leaf, index, path, size, .empty))
                #expect(!verifies(leaf, size, path, size, root))
                #expect(!verifies(leaf, index, path + [.empty], size, root))
                #expect(path.isEmpty || !verifies(leaf, index, path.dropLast(), size, root))
                #expect(path.isEmpty || !verifies(leaf, index, Array(path.dropFirst()), size, root))
                for other in 0..<size where other != index { #expect(!verifies(leaf, other, path, size, root)) }
                for position in path.indices {
                    var changed = path
                    changed[position] = .empty
                    #expect(!verifies(leaf, index, changed, size, root))
                }
            }
        }
        #expect(throws: AuditLogError.outsideLimits) { try tree.inclusionProof(of: 3, size: 3) }
        #expect(throws: AuditLogError.outsideLimits) { try tree.inclusionProof(of: 0, size: 0) }
    }

    @Test("an empty path proves the only leaf of a tree of one leaf, and no leaf of a larger or an empty tree")
    func emptyPath() {
        let leaf = TreeHash.leaf([1])
        func verifies(_ index: UInt64, _ size: UInt64, _ root: TreeHash) -> Bool {
            TreeProof.verifies(inclusionOf: leaf, at: index, path: [], size: size, root: root)
        }
        #expect(verifies(0, 1, leaf))
        #expect(!verifies(0, 1, .leaf([2])))
        // The root is the leaf itself, as a forger would claim.
        for size: UInt64 in [0, 2, 3, 4, 5, 1 << 40] {
            #expect(!verifies(0, size, leaf), "\(size)")
            if size > 0 { #expect(!verifies(size - 1, size, leaf), "\(size)") }
        }
        #expect(!verifies(0, .max, leaf))
    }

    @Test("a path that is longer than the tree is high is refused, also if it leads to the root")
    func longPath() {
        let (left, right) = (TreeHash.leaf([1]), TreeHash.leaf([2]))
        let root = TreeHash.node(left, right)
        func verifies(_ leaf: TreeHash, _ index: UInt64, _ size: UInt64, _ path: [TreeHash], _ root: TreeHash) -> Bool {
            TreeProof.verifies(inclusionOf: leaf, at: index, path: path, size: size, root: root)
        }
        #expect(verifies(right, 1, 2, [left], root))
        #expect(!verifies(right, 0, 1, [left], root))
        let higher = TreeHash.node(.empty, root)
        #expect(!verifies(right, 1, 2, [left, .empty], higher))
        #expect(!verifies(left, 0, 2, [right, .empty], higher))
        #expect(
            !TreeProof.verifies(
                consistencyFrom: 1, root: .node(.empty, left), to: 2, root: higher, proof: [right, .empty]))
    }

    @Test("every tree is consistent with each later one, and the proof proves nothing else")
    func consistency() throws {
        let tree = MemoryTree(40)
        for new in 0...UInt64(40) {
            let newRoot = try tree.root(size: new)
            for old in 0...new {
                let oldRoot = try tree.root(size: old)
                let proof = try tree.consistencyProof(from: old, to: new)
                func verifies(_ old: UInt64, _ oldRoot: TreeHash, _ newRoot: TreeHash, _ proof: [TreeHash]) -> Bool {
                    TreeProof.verifies(
                        consistencyFrom: old, root: oldRoot, to: new, root: newRoot, proof: proof)
                }
                #expect(verifies(old, oldRoot, newRoot, proof), "\(old) \(new)")
                #expect(!verifies(old, .leaf([9]), newRoot, proof))
                #expect(!verifies(old, oldRoot, newRoot, proof + [.empty]))
                if old > 0 { #expect(!verifies(old, oldRoot, .leaf([9]), proof)) }
                if old > 0, old < new {
                    #expect(!verifies(old, oldRoot, newRoot, Array(proof.dropLast())))
                    #expect(!verifies(old, oldRoot, newRoot, Array(proof.dropFirst())))
                    #expect(!verifies(old - 1, oldRoot, newRoot, proof))
                    for position in proof.indices {
                        var changed = proof
                        changed[position] = .leaf([9])
                        #expect(!verifies(old, oldRoot, newRoot, changed))
                    }
                }
            }
        }
        #expect(throws: AuditLogError.outsideLimits) { try tree.consistencyProof(from: 4, to: 3) }
        #expect(!TreeProof.verifies(consistencyFrom: 4, root: .empty, to: 3, root: .empty, proof: []))
    }

    @Test("the paths of tiles are those of the specification, and each has one spelling")
    func paths() throws {
        #expect(try TilePath(.hashes(level: 0), index: 1_234_067, width: 256).text == "tile/0/x001/x234/067")
        #expect(try TilePath(.entries, index: 0, width: 112).text == "tile/entries/000.p/112")
        for text in ["tile/0/x001/x234/067", "tile/entries/000.p/112", "tile/63/999", "tile/1/x001/000.p/1"] {
            #expect(try TilePath(parsing: text).text == text)
        }
        for text in [
            "", "tile", "tile/0", "tile/0/", "tile/0/67", "tile/0/x067", "tile/00/067", "tile/64/000", "tile/-1/000",
            "tile/0/000.p/0", "tile/0/000.p/256", "tile/0/000.p/01", "tile/0/000.p/", "tile/0/x000/001",
            "tile/0/001/002", "/tile/0/000", "tile/0/000/", "tile/0/+01", "tile/entries/../000",
            "tile/0/x999/x999/x999/x999/x999/999",
        ] {
            #expect(throws: (any Error).self, "\(text)") { try TilePath(parsing: text) }
        }
        // The example of the specification: 273 full tiles of level 0, partial ones of 112, 17 and 1.
        let all = TilePath.all(size: 70_000).filter { $0.content != .entries }
        #expect(all.count == 273 + 1 + 1 + 1 + 1)
        #expect(all.filter { $0.width < 256 }.map(\.width) == [112, 17, 1])
        #expect(
            TilePath.all(size: 256).filter { $0.content != .entries }.map(\.text) == ["tile/0/000", "tile/1/000.p/1"])
    }
}
