// SPDX-License-Identifier: Apache-2.0
internal import FileNames
internal import Glibc
internal import WholeFiles

/// The reason that a file cannot be read.
public enum FileError: Error, Hashable, CustomStringConvertible {
  /// The file does not exist.
  case missing(String)
  /// The path is that of a folder, not of a file.
  case directory(String)
  /// The user does not have the permission to read the file.
  case denied(String)
  /// The file is larger than the limit, in bytes: 1 GiB for songs.
  case tooLarge(String, limit: Int)
  /// A gzip file would expand to more than 64 times its size, and to more than 1 MiB; it is refused
  /// as harmful.
  case swells(String)
  /// Another error of the system; `reason` is the system's message.
  case unreadable(String, reason: String)

  init(opening path: String, code: Int32) {
    switch code {
    case ENOENT, ENOTDIR: self = .missing(path)
    case EISDIR: self = .directory(path)
    case EACCES, EPERM: self = .denied(path)
    default: self = .unreadable(path, reason: unsafe String(cString: strerror(code)).lowercased())
    }
  }

  /// Creates the error of a path that is missing or may not be read; nil if it can be read.
  ///
  /// The file is not opened.
  ///
  /// - Parameter path: The path, links followed.
  package init?(accessing path: String) {
    guard path.withSystemPath({ unsafe access($0, R_OK) }) != 0 else { return nil }
    self.init(opening: path, code: errno)
  }

  /// The error message.
  ///
  /// For a missing file, the folder is read to suggest a similar name.
  public var description: String {
    switch self {
    case .missing(let path): "\(path): no such file\(SimilarFile.question(for: path))"
    case .directory(let path): "\(path): is a directory (name the files in it: \(path)/*.mid)"
    case .denied(let path): "\(path): permission denied (make it readable: chmod +r)"
    case .tooLarge(let path, InputFile.limit): "\(path): larger than 1 GiB, the limit for songs"
    case .tooLarge(let path, let limit):
      "\(path): larger than \(limit >> 20) MiB, the limit for such files"
    case .swells(let path):
      "\(path): unpacks to more than 64 times its size, the limit (unpack it first: gunzip)"
    case .unreadable(let path, let reason): "\(path): cannot be read: \(reason)"
    }
  }
}
