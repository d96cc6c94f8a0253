// SPDX-License-Identifier: Apache-2.0
internal import FileNames
internal import Glibc
internal import WholeFiles

/// Why a file could not be read.
public enum FileError: Error, Hashable, CustomStringConvertible {
  /// There is no file of that name.
  case missing(String)
  /// The name is a directory's.
  case directory(String)
  /// The file may not be read by this user.
  case denied(String)
  /// The file is larger than what is read of its kind, in bytes: of songs 1 GiB.
  case tooLarge(String, limit: Int)
  /// What gzip packed is more than 64 times as long unpacked, and longer than a megabyte.
  case swells(String)
  /// The system refused for another reason.
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

  /// The sentence for a person; for a missing file it reads the folder to suggest a similar name.
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
