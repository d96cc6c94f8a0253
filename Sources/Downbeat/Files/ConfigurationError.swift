// SPDX-License-Identifier: Apache-2.0

/// The reason that a configuration file cannot be read.
public enum ConfigurationError: Error, Hashable, CustomStringConvertible, Sendable {
  /// The file exists but cannot be read.
  case unreadable(FileError)
  /// A line of the file is not valid TOML; lines are counted from 1.
  case malformed(path: String, line: Int, reason: String)

  /// The error message: file, line and reason.
  public var description: String {
    switch self {
    case .unreadable(let error): "\(error)"
    case .malformed(let path, let line, let reason): "\(path): line \(line): \(reason)"
    }
  }
}
