// Core Foundation's types as aliases of the Swift types that they bridge to: `query as CFDictionary` is then a coercion
// of a type to itself, as it is a bridge on Apple's systems.
@_exported import Foundation

// https://developer.apple.com/documentation/corefoundation/cfstring
public typealias CFString = String
// https://developer.apple.com/documentation/corefoundation/cfallocator
public typealias CFAllocator = AnyObject
// https://developer.apple.com/documentation/corefoundation/cferror
public typealias CFError = NSError
// https://developer.apple.com/documentation/corefoundation/cfoptionflags
public typealias CFOptionFlags = UInt
