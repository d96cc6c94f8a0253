// SPDX-License-Identifier: Apache-2.0
internal import FileNames
internal import Glibc
internal import WholeFiles

/// An error that prevents a file from being read.
public enum FileError: Error, Hashable, CustomStringConvertible {
  /// The file does not exist.
  case missing(String)
  /// The path is a folder.
  case directory(String)
  /// This user may not read the file.
  case denied(String)
  /// The file is larger than the limit, in bytes: 1 GiB for songs.
  case tooLarge(String, limit: Int)
  /// A gzip file expands to more than 64 times its size, and to more than 1 MiB.
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

  /// The error message; for a missing file it reads the folder to suggest a similar name.
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
