// SPDX-License-Identifier: Apache-2.0
public import Foundation

/// Returns the URL of a file.
///
/// - Parameters:
///   - allocator: Not used.
///   - filePath: The path.
///   - pathStyle: Not used: paths are those of POSIX.
///   - isDirectory: True if the path is that of a folder.
/// - Returns: The URL, or nil without a path.
public func CFURLCreateWithFileSystemPath(
  _ allocator: CFAllocator?, _ filePath: CFString?, _ pathStyle: CFURLPathStyle,
  _ isDirectory: Bool
) -> CFURL! {
  filePath.map { NSURL(fileURLWithPath: $0.description, isDirectory: isDirectory) }
}

/// Returns the URL of a file.
///
/// - Parameters:
///   - allocator: Not used.
///   - buffer: The bytes of the path.
///   - bufLen: The number of bytes.
///   - isDirectory: True if the path is that of a folder.
/// - Returns: The URL, or nil if the number of bytes is 0.
public func CFURLCreateFromFileSystemRepresentation(
  _ allocator: CFAllocator?, _ buffer: UnsafePointer<UInt8>, _ bufLen: Int, _ isDirectory: Bool
) -> CFURL! {
  guard bufLen > 0 else { return nil }
  var path = unsafe [UInt8](UnsafeBufferPointer(start: buffer, count: bufLen))
  path.append(0)
  return unsafe path.withUnsafeBufferPointer { bytes in
    unsafe bytes.baseAddress?.withMemoryRebound(to: CChar.self, capacity: bytes.count) {
      unsafe NSURL(
        fileURLWithFileSystemRepresentation: $0, isDirectory: isDirectory, relativeTo: nil)
    }
  }
}
