// SPDX-License-Identifier: Apache-2.0

/// Why a snapshot cannot be shared between processes.
public enum SharedSnapshotError: Error, Hashable, Sendable {
  /// The name is empty, too long, or has other characters than letters, digits, `-`, `_` and `.`.
  case badName(String)
  /// Another process publishes under the name.
  case taken(name: String, process: Int32)
  /// Nobody publishes under the name.
  case absent(name: String)
  /// What is there was made by another user, or may not be read.
  case noPermission(name: String)
  /// What is there is not a snapshot of this kind and version.
  case foreign(name: String)
  /// The kernel refused, with an errno.
  case refused(name: String, operation: String, code: Int32)
}

extension SharedSnapshotError: CustomStringConvertible {
  /// The error as a sentence.
  public var description: String {
    switch self {
    case .badName(let name):
      "clock name '\(name)': 1…64 letters, digits, - and _, and dots that do not come first"
    case .taken(let name, let process):
      "clock '\(name)': is served by process \(process) already (take another name)"
    case .absent(let name): "clock '\(name)': nobody serves it"
    case .noPermission(let name): "clock '\(name)': belongs to another user"
    case .foreign(let name): "clock '\(name)': is served by another version, or is not a clock"
    case .refused(let name, let operation, let code):
      "clock '\(name)': cannot \(operation): \(systemMessage(code))"
    }
  }
}
