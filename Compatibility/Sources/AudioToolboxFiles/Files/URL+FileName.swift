// SPDX-License-Identifier: Apache-2.0
internal import FileNames
internal import Foundation

extension URL {
  /// The path of a file's URL with its bytes, as `FileName` keeps them; nil for another URL.
  ///
  /// `path` is empty for bytes that are not UTF-8.
  package var fileName: String? {
    guard isFileURL else { return nil }
    var (bytes, rest) = ([UInt8](), path(percentEncoded: true).utf8[...])
    while let byte = rest.popFirst() {
      let digits = String(decoding: rest.prefix(2), as: UTF8.self)
      if byte == UInt8(ascii: "%"), digits.utf8.count == 2, let code = UInt8(digits, radix: 16) {
        bytes.append(code)
        rest = rest.dropFirst(2)
      } else {
        bytes.append(byte)
      }
    }
    return bytes.isEmpty || bytes.contains(0) ? nil : FileName.text(of: bytes)
  }

  /// Creates a file's URL with every byte of its path.
  ///
  /// - Parameter fileName: the path, as `FileName` keeps it
  package init(fileName: String) {
    let isLoose = FileName.hasLooseBytes(fileName)
    let address = FileName.bytes(of: fileName).map { byte in
      byte == UInt8(ascii: "/")
        ? "/" : "%" + (byte < 0x10 ? "0" : "") + String(byte, radix: 16, uppercase: true)
    }
    let url = isLoose && fileName.hasPrefix("/") ? URL(string: "file://" + address.joined()) : nil
    self = url ?? URL(fileURLWithPath: fileName)
  }
}
