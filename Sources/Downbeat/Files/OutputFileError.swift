// SPDX-License-Identifier: Apache-2.0
internal import Glibc

/// Why a file could not be written; nothing of it was kept.
public enum OutputFileError: Error, Hashable, Sendable {
  /// There is a file of that name, and it is not to be replaced.
  case exists(String)
  /// The name is a link that leads nowhere.
  case danglingLink(String)
  /// The file or its folder cannot be written to; the code is an error number.
  case cannotCreate(path: String, code: Int32)
  /// Writing failed under way; the code is an error number.
  case cannotWrite(path: String, code: Int32)
}

extension OutputFileError: CustomStringConvertible {
  /// The sentence for a person.
  public var description: String {
    switch self {
    case .exists(let path):
      "\(path): already exists (use --overwrite to replace it)"
    case .danglingLink(let path):
      "\(path): broken symbolic link (remove it, or name the file itself)"
    case .cannotCreate(let path, let code):
      "\(path): cannot be created: \(Self.reason(code))"
    case .cannotWrite(let path, let code):
      "\(path): cannot be written: \(Self.reason(code)); nothing was saved"
    }
  }

  private static func reason(_ code: Int32) -> String {
    guard let text = unsafe strerror(code) else { return "error \(code)" }
    return unsafe String(cString: text).lowercased()
  }
}
