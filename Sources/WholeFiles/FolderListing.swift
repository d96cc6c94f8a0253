// SPDX-License-Identifier: Apache-2.0
internal import FileNames
internal import Glibc

/// What the file system says of names.
package enum FolderListing {
  /// What a name in a folder stands for.
  package struct Entry: Sendable {
    /// The name, without its folder.
    package let name: String
    /// What it is; a link is what it leads to.
    package let kind: Kind
    /// Whether it is a folder.
    package var isFolder: Bool { kind == .folder }
  }

  /// What a name stands for.
  package enum Kind: Sendable {
    /// A regular file, or nothing that exists.
    case file
    case folder
    /// A pipe, a socket or a device: a program that opens it may have to wait.
    case other

    fileprivate init(_ mode: mode_t?) {
      switch mode.map({ $0 & S_IFMT }) {
      case nil, S_IFREG: self = .file
      case S_IFDIR: self = .folder
      default: self = .other
      }
    }
  }

  /// Which file a name stands for, whatever other names it has.
  package struct Identity: Hashable, Sendable {
    private let device: UInt64
    private let node: UInt64

    /// The file of a name, links followed; nil where there is none.
    package init?(of path: String) {
      guard let status = FolderListing.status(of: path) else { return nil }
      (device, node) = (UInt64(status.st_dev), UInt64(status.st_ino))
    }
  }

  /// Everything in a folder but itself and its parent, in the system's order.
  ///
  /// - Parameter folder: its path, or nothing for the current one.
  /// - Returns: what is in it.
  /// - Throws: `WholeFileError.refused` where it cannot be read.
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

  /// The names in a folder, sorted; nil where it cannot be read.
  package static func readableNames(in folder: String) -> [String]? {
    do {
      return try entries(in: folder).map(\.name).sorted()
    } catch {
      return nil
    }
  }

  /// The path of a name in a folder; in no folder it is the name.
  package static func path(_ folder: String, _ name: String) -> String {
    folder.isEmpty || folder.hasSuffix("/") ? folder + name : "\(folder)/\(name)"
  }

  /// Whether there is something of a name, links followed.
  package static func isThere(_ path: String) -> Bool {
    path.withSystemPath { unsafe access($0, F_OK) } == 0
  }

  /// What a name stands for, links followed.
  package static func kind(of path: String) -> Kind { Kind(status(of: path)?.st_mode) }

  /// Whether a name is a folder's, links followed.
  package static func isFolder(_ path: String) -> Bool { kind(of: path) == .folder }

  /// Whether a name is a pipe's, a socket's or a device's, links followed.
  package static func isSpecialFile(_ path: String) -> Bool {
    status(of: path).map { ![S_IFREG, S_IFDIR].contains($0.st_mode & S_IFMT) } ?? false
  }

  /// The bytes of a file, or 0.
  package static func size(of path: String) -> Int {
    status(of: path).map { Int($0.st_size) } ?? 0
  }

  /// A name with its links followed, or the name itself where that fails.
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
