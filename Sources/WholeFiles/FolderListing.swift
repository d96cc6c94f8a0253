// SPDX-License-Identifier: Apache-2.0
internal import FileNames
internal import Glibc

/// Functions that read the names and kinds of files in the file system.
package enum FolderListing {
  /// A name in a folder.
  package struct Entry: Sendable {
    /// The name, without its folder.
    package let name: String
    /// The kind of file; for a link, that of its target.
    package let kind: Kind
    /// True if it is a folder.
    package var isFolder: Bool { kind == .folder }
  }

  /// The kind of a file.
  package enum Kind: Sendable {
    /// A regular file, or a name that does not exist.
    case file
    case folder
    /// A pipe, a socket or a device, for which a program that opens it can have to wait.
    case other

    fileprivate init(_ mode: mode_t?) {
      switch mode.map({ $0 & S_IFMT }) {
      case nil, S_IFREG: self = .file
      case S_IFDIR: self = .folder
      default: self = .other
      }
    }
  }

  /// The identity of a file, which is the same for all its names.
  package struct Identity: Hashable, Sendable {
    private let device: UInt64
    private let node: UInt64

    /// The identity of a file, following links; nil if it does not exist.
    package init?(of path: String) {
      guard let status = FolderListing.status(of: path) else { return nil }
      (device, node) = (UInt64(status.st_dev), UInt64(status.st_ino))
    }
  }

  /// Lists a folder in the system's order, without the folder itself and its parent.
  ///
  /// - Parameter folder: The path of the folder; empty for the current folder.
  /// - Returns: The entries.
  /// - Throws: `WholeFileError.refused` if the folder cannot be read.
  /// - Complexity: O(n) in the number of entries.
  package static func entries(in folder: String) throws(WholeFileError) -> [Entry] {
    guard let stream = (folder.isEmpty ? "." : folder).withSystemPath({ unsafe opendir($0) }) else {
      throw .refused(errno)
    }
    defer { unsafe _ = closedir(stream) }
    var entries: [Entry] = []
    while let entry = unsafe readdir(stream) {
      let name = unsafe withUnsafeBytes(of: &entry.pointee.d_name) {
        unsafe FileName.text(of: $0.prefix { $0 != 0 })
      }
      guard name != ".", name != ".." else { continue }
      let kind: Kind =
        switch Int(unsafe entry.pointee.d_type) {
        case DT_DIR: .folder
        case DT_REG: .file
        case DT_LNK, DT_UNKNOWN: self.kind(of: path(folder, name))
        default: .other
        }
      entries.append(Entry(name: name, kind: kind))
    }
    return entries
  }

  /// Lists the names in a folder, sorted; nil if the folder cannot be read.
  package static func readableNames(in folder: String) -> [String]? {
    do {
      return try entries(in: folder).map(\.name).sorted()
    } catch {
      return nil
    }
  }

  /// The path of a name in a folder; for an empty folder, the name itself.
  package static func path(_ folder: String, _ name: String) -> String {
    folder.isEmpty || folder.hasSuffix("/") ? folder + name : "\(folder)/\(name)"
  }

  /// Returns true if a file exists, following links.
  package static func isThere(_ path: String) -> Bool {
    path.withSystemPath { unsafe access($0, F_OK) } == 0
  }

  /// The kind of a file, following links.
  package static func kind(of path: String) -> Kind { Kind(status(of: path)?.st_mode) }

  /// Returns true if a path is that of a folder, following links.
  package static func isFolder(_ path: String) -> Bool { kind(of: path) == .folder }

  /// Returns true if a path is that of a pipe, a socket or a device, following links.
  package static func isSpecialFile(_ path: String) -> Bool {
    status(of: path).map { ![S_IFREG, S_IFDIR].contains($0.st_mode & S_IFMT) } ?? false
  }

  /// The size of a file in bytes; 0 if it does not exist.
  package static func size(of path: String) -> Int {
    status(of: path).map { Int($0.st_size) } ?? 0
  }

  /// The path with all links resolved; the path itself if that fails.
  package static func realPath(of path: String) -> String {
    guard let real = path.withSystemPath({ unsafe realpath($0, nil) }) else { return path }
    defer { unsafe free(real) }
    return unsafe FileName.text(cString: real)
  }

  private static func status(of path: String) -> stat? {
    var status = stat()
    return path.withSystemPath { unsafe stat($0, &status) } == 0 ? status : nil
  }
}
