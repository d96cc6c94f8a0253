// SPDX-License-Identifier: Apache-2.0

/// Why a SOFA file gives no responses.
public enum SOFAError: Error, Hashable, Sendable {
  /// libmysofa is not installed; the loader's words.
  case libraryMissing(reason: String)
  /// The file cannot be opened or read.
  case unreadable(path: String, reason: String)
  /// The file is no SOFA file, or is damaged.
  case notSOFA(path: String)
  /// The file is one, but has no responses of a head from all directions; libmysofa's number says why.
  case unsuitable(path: String, code: Int)
}

extension SOFAError: CustomStringConvertible {
  /// The sentence for the user.
  public var description: String {
    switch self {
    case .libraryMissing(let reason):
      "libmysofa cannot be loaded: \(reason) (install libmysofa1)"
    case .unreadable(let path, let reason): "\(path): \(reason)"
    case .notSOFA(let path):
      "\(path): not a SOFA file, or damaged (an example is in /usr/share/libmysofa)"
    case .unsuitable(let path, let code):
      "\(path): cannot read head-related impulse responses (libmysofa: \(code))"
    }
  }
}
