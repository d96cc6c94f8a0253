// SPDX-License-Identifier: Apache-2.0
internal import FileNames
internal import Glibc
internal import WholeFiles

/// A song of a list, which may not be there.
package struct SongEntry: Equatable {
  /// Where a playlist names it.
  package struct Mention: Equatable {
    /// The playlist's path.
    package let list: String
    /// The line, from 1.
    package let line: Int

    package init(list: String, line: Int) { (self.list, self.line) = (list, line) }
  }

  /// Where it is; `-` is standard input.
  package var path: String
  /// What its playlist calls it; empty where none does.
  package var title = ""
  /// The playlist and the line; nil where no playlist names it.
  package var mention: Mention?
  /// The folders between the one that was named and the song, with a `/` at the end; or nothing.
  package var folders = ""

  package init(path: String, title: String = "", mention: Mention? = nil) {
    (self.path, self.title, self.mention) = (path, title, mention)
  }

  /// Whether it is a file, which nobody has to wait for, and no pipe.
  package var isFile: Bool {
    var status = stat()
    guard path != "-", path.withSystemPath({ unsafe stat($0, &status) }) == 0 else {
      return false
    }
    return status.st_mode & S_IFMT == S_IFREG
  }

  /// Where it is, from everywhere.
  package var absolutePath: String { Self.absolute(path) }

  /// A path or an address as it is understood from everywhere.
  package static func absolute(_ path: String) -> String {
    guard !path.hasPrefix("/"), path != "-", FileAddress.scheme(of: path) == nil else {
      return path
    }
    return FolderListing.path(here, path)
  }

  /// The folder that the process is in; it stays there.
  private static let here = FolderListing.realPath(of: ".")
}
