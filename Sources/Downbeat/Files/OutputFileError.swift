// SPDX-License-Identifier: Apache-2.0
internal import Glibc

/// The reason that a file cannot be written.
///
/// After an error, no part of the new file is kept.
public enum OutputFileError: Error, Hashable, Sendable {
  /// The file exists and may not be replaced.
  case exists(String)
  /// The path is a symbolic link to a file that does not exist.
  case danglingLink(String)
  /// The file cannot be created; the code is an `errno` value.
  case cannotCreate(path: String, code: Int32)
  /// Writing the file failed; the code is an `errno` value.
  case cannotWrite(path: String, code: Int32)
}

extension OutputFileError: CustomStringConvertible {
  /// The error message: file, reason and remedy.
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
