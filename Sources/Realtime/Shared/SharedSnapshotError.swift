// SPDX-License-Identifier: Apache-2.0

/// An error of sharing a value between processes.
public enum SharedSnapshotError: Error, Hashable, Sendable {
  /// The name is empty, too long, or contains characters other than letters, digits, `-`, `_` and
  /// `.`.
  case badName(String)
  /// Another process is publishing under the name.
  case taken(name: String, process: Int32)
  /// No process publishes under the name.
  case absent(name: String)
  /// The shared memory belongs to another user, or may not be read.
  case noPermission(name: String)
  /// The shared memory is damaged, or does not contain a value of this kind and version.
  case foreign(name: String)
  /// The folder for shared memory belongs to another user, or is accessible to others.
  case unsafeFolder(path: String)
  /// The folder for shared memory cannot be created or opened; the code is the error number of the
  /// system call.
  case folder(path: String, code: Int32)
  /// The kernel refused an operation; the code is the error number of the system call.
  case refused(name: String, operation: String, code: Int32)
}

extension SharedSnapshotError: CustomStringConvertible {
  /// The message for the user.
  public var description: String {
    switch self {
    case .badName(let name):
      "'\(name)': not a clock name (use 1 to 64 letters, digits, - _ and dots, but not a dot first)"
    case .taken(let name, let process):
      "clock '\(name)': is already running in process \(process) (use another name)"
    case .absent(let name): "no clock named '\(name)' is running"
    case .noPermission(let name): "clock '\(name)': belongs to another user"
    case .foreign(let name):
      "clock '\(name)': has an unsupported format (another version of Downbeat may run it)"
    case .unsafeFolder(let path):
      "\(path): owned by another user, or accessible to others"
        + " (set XDG_RUNTIME_DIR to a folder with mode 0700)"
    case .folder(let path, let code): "\(path): cannot be created or opened: \(systemMessage(code))"
    case .refused(let name, let operation, let code):
      "clock '\(name)': cannot \(operation): \(systemMessage(code))"
    }
  }
}
