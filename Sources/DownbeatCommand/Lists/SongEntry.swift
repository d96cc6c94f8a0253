// SPDX-License-Identifier: Apache-2.0
internal import FileNames
internal import Glibc
internal import WholeFiles

/// A song of a list, which may not be there.
struct SongEntry: Equatable {
  /// Where a playlist names it.
  struct Mention: Equatable {
    /// The playlist's path.
    let list: String
    /// The line, from 1.
    let line: Int
  }

  /// Where it is; `-` is standard input.
  var path: String
  /// What its playlist calls it; empty where none does.
  var title = ""
  /// The playlist and the line; nil where no playlist names it.
  var mention: Mention?
  /// The folders between the one that was named and the song, with a `/` at the end; or nothing.
  var folders = ""

  /// Whether it is a file, which nobody has to wait for, and no pipe.
  var isFile: Bool {
    var status = stat()
    guard path != "-", path.withSystemPath({ unsafe stat($0, &status) }) == 0 else {
      return false
    }
    return status.st_mode & S_IFMT == S_IFREG
  }

  /// Where it is, from everywhere.
  var absolutePath: String { Self.absolute(path) }

  /// A path or an address as it is understood from everywhere.
  static func absolute(_ path: String) -> String {
    guard !path.hasPrefix("/"), path != "-", FileAddress.scheme(of: path) == nil else {
      return path
    }
    return FolderListing.path(here, path)
  }

  /// The folder that the process is in; it stays there.
  private static let here = FolderListing.realPath(of: ".")

  /// A failure, with where the song is named before it.
  func failure(_ failure: any FailureDescribing) -> Failure {
    let place = mention.map { "\($0.list): line \($0.line): " } ?? ""
    return Failure(
      failure.exitStatus, "\(place)\(failure)", concernsMachine: failure.concernsMachine)
  }
}
