// SPDX-License-Identifier: Apache-2.0
internal import FileNames

extension JSONValue {
  /// The name of the member with the exact bytes of a file name in another member.
  static func bytesMember(of name: String) -> String {
    name == "file" ? "pathBytes" : "\(name)Bytes"
  }

  /// The file name in a member of an object, from its exact bytes if they are present.
  ///
  /// - Parameter name: The name of the member. For `path`, the bytes are in `pathBytes`.
  /// - Returns: The file name, as represented by `FileName`; nil if the member is missing.
  package func fileName(_ name: String) -> String? {
    let bytes = self[Self.bytesMember(of: name)]?.string.flatMap(Base64.bytes)
    if let bytes, !bytes.contains(0) { return FileName.text(of: bytes) }
    return self[name]?.fileName
  }

  /// The file name that this value represents: a string, or an object with `path` and `pathBytes`.
  package var fileName: String? {
    switch self {
    case .path(let path): path
    case .text(let text): FileName.text(of: text.utf8)
    case .object: fileName("path")
    default: nil
    }
  }
}
