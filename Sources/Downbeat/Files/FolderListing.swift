// SPDX-License-Identifier: Apache-2.0
internal import Glibc

/// What the file system says of names.
package enum FolderListing {
  /// The names in a folder, sorted; nil where it cannot be read.
  package static func readableNames(in folder: String) -> [String]? {
    guard let stream = unsafe opendir(folder) else { return nil }
    defer { unsafe _ = closedir(stream) }
    var names: [String] = []
    while let entry = unsafe readdir(stream) {
      let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) {
        unsafe $0.withMemoryRebound(to: CChar.self, capacity: 256) { unsafe String(cString: $0) }
      }
      if name != ".", name != ".." { names.append(name) }
    }
    return names.sorted()
  }

  /// Whether there is something of a name, links followed.
  package static func isThere(_ path: String) -> Bool { unsafe access(path, F_OK) == 0 }

  /// The bytes of a file, or 0.
  static func size(of path: String) -> Int {
    var status = stat()
    return unsafe stat(path, &status) == 0 ? Int(status.st_size) : 0
  }

  /// A name with its links followed, or the name itself where that fails.
  package static func realPath(of path: String) -> String {
    guard let real = unsafe realpath(path, nil) else { return path }
    defer { unsafe free(real) }
    return unsafe String(cString: real)
  }
}
