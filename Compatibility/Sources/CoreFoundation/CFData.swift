// SPDX-License-Identifier: Apache-2.0
public import Foundation

/// Returns the number of bytes.
///
/// - Parameter theData: The bytes, or nil for none.
/// - Returns: The number.
public func CFDataGetLength(_ theData: CFData!) -> Int { theData?.length ?? 0 }

/// Returns a pointer to the bytes, which is valid while the object exists.
///
/// - Parameter theData: The bytes.
/// - Returns: The pointer to the first byte, or nil for nil.
public func CFDataGetBytePtr(_ theData: CFData!) -> UnsafePointer<UInt8>! {
  unsafe theData?.bytes.assumingMemoryBound(to: UInt8.self)
}

/// Copies bytes.
///
/// - Parameters:
///   - allocator: Not used.
///   - bytes: The bytes.
///   - length: The number of bytes.
/// - Returns: The copy.
public func CFDataCreate(
  _ allocator: CFAllocator?, _ bytes: UnsafePointer<UInt8>, _ length: Int
) -> CFData! {
  unsafe NSData(bytes: bytes, length: max(0, length))
}
