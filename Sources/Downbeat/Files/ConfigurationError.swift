// SPDX-License-Identifier: Apache-2.0

/// Why a configuration file was not read.
public enum ConfigurationError: Error, Hashable, CustomStringConvertible, Sendable {
  /// The file is there and cannot be read.
  case unreadable(FileError)
  /// A line, counted from 1, is no TOML.
  case malformed(path: String, line: Int, reason: String)

  /// The sentence for a user.
  public var description: String {
    switch self {
    case .unreadable(let error): "\(error)"
    case .malformed(let path, let line, let reason): "\(path): line \(line): \(reason)"
    }
  }
}
