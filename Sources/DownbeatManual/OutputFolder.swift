// SPDX-License-Identifier: Apache-2.0
internal import Glibc
internal import WholeFiles

/// The folder that the pages go to.
struct OutputFolder {
  let path: String

  /// Writes a file, and makes the folders above it.
  func write(_ text: String, to name: String) throws {
    let path = "\(path)/\(name)"
    for (index, character) in path.enumerated() where character == "/" && index > 0 {
      _ = unsafe mkdir(String(path.prefix(index)), 0o755)
    }
    var file = try WholeFile(path: path, mayReplace: true)
    var rest = Array(text.utf8)[...]
    while !rest.isEmpty {
      let count = unsafe rest.withUnsafeBytes { bytes in
        unsafe Glibc.write(file.descriptor, bytes.baseAddress, bytes.count)
      }
      guard count > 0 else { throw OutputFolderError(path: path, code: errno) }
      rest = rest.dropFirst(count)
    }
    try file.keep()
  }
}

/// Why a page could not be written.
struct OutputFolderError: Error, CustomStringConvertible {
  let path: String
  let code: Int32

  var description: String { "\(path): \(unsafe String(cString: strerror(code)))" }
}
