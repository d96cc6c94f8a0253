// SPDX-License-Identifier: Apache-2.0

/// The reason that head-related responses cannot be read from a SOFA file.
public enum SOFAError: Error, Hashable, Sendable {
  /// libmysofa is not installed; `reason` is the loader's message.
  case libraryMissing(reason: String)
  /// The file cannot be opened or read.
  case unreadable(path: String, reason: String)
  /// The file is not a SOFA file, or is damaged.
  case notSOFA(path: String)
  /// The file does not contain responses of a head from all directions; `code` is libmysofa's error
  /// number.
  case unsuitable(path: String, code: Int)
}

extension SOFAError: CustomStringConvertible {
  /// One line for the user: the file, the fault and the remedy.
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
