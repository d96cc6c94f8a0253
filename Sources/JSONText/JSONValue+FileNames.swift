// SPDX-License-Identifier: Apache-2.0
internal import FileNames

extension JSONValue {
  /// The member that holds the exact bytes of another member's name of a file.
  static func bytesMember(of name: String) -> String {
    name == "file" ? "pathBytes" : "\(name)Bytes"
  }

  /// The name of a file in a member of an object, with its exact bytes if they are there.
  ///
  /// - Parameter name: the member; `path` has its bytes in `pathBytes`.
  /// - Returns: the name as `FileName` keeps it, or nil if there is none.
  package func fileName(_ name: String) -> String? {
    let bytes = self[Self.bytesMember(of: name)]?.string.flatMap(Base64.bytes)
    if let bytes, !bytes.contains(0) { return FileName.text(of: bytes) }
    return self[name]?.fileName
  }

  /// The name of a file that this value is: a string, or an object with `path` and `pathBytes`.
  package var fileName: String? {
    switch self {
    case .path(let path): path
    case .text(let text): FileName.text(of: text.utf8)
    case .object: fileName("path")
    default: nil
    }
  }
}
