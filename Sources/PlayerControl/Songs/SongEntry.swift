// SPDX-License-Identifier: Apache-2.0
internal import FileNames
internal import Glibc
internal import WholeFiles

/// A song of a queue; its file may be missing.
public struct SongEntry: Hashable, Sendable {
  /// The line of a playlist that names a song.
  package struct Mention: Hashable, Sendable {
    /// The playlist's path.
    package let list: String
    /// The line, from 1.
    package let line: Int

    package init(list: String, line: Int) { (self.list, self.line) = (list, line) }
  }

  /// The path of the song's file; the command uses `-` for standard input.
  public var path: String
  /// The title of the song in its playlist; empty if the playlist does not state one.
  public var title = ""
  /// The line of its playlist; nil for none.
  package var mention: Mention?
  /// The folders between the folder that the user named and the song, with a `/` at the end; empty
  /// for none.
  package var folders = ""

  package init(path: String, title: String = "", mention: Mention?) {
    (self.path, self.title, self.mention) = (path, title, mention)
  }

  /// Creates a song.
  ///
  /// - Parameters:
  ///   - path: The path of the song's file.
  ///   - title: The title that is shown if the song does not contain one; if empty, the default,
  ///     the name of the file is shown.
  public init(path: String, title: String = "") {
    (self.path, self.title) = (path, title)
  }

  /// The path without its folders.
  var fileName: String { String(path.split(separator: "/").last ?? "") }

  /// The title from the name of the file: without folders and suffix.
  var titleOfFile: String {
    let name = fileName
    guard let point = name.lastIndex(of: "."), point > name.startIndex,
      name[point...].count <= 6
    else { return name }
    return String(name[..<point])
  }

  /// True for a regular file, which can be read without blocking; false for a pipe.
  package var isFile: Bool {
    var status = stat()
    guard path != "-", path.withSystemPath({ unsafe stat($0, &status) }) == 0 else {
      return false
    }
    return status.st_mode & S_IFMT == S_IFREG
  }

  /// The absolute path.
  package var absolutePath: String { Self.absolute(path) }

  /// Returns the absolute path of a path; a URL is not changed.
  package static func absolute(_ path: String) -> String {
    guard !path.hasPrefix("/"), path != "-", FileAddress.scheme(of: path) == nil else {
      return path
    }
    return FolderListing.path(here, path)
  }

  /// The working folder of the process, which does not change.
  private static let here = FolderListing.realPath(of: ".")
}
