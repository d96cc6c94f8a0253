// SPDX-License-Identifier: Apache-2.0
internal import FileNames
internal import Glibc
internal import WholeFiles

/// The private folder in memory that contains a user's named memory and sockets.
///
/// It is `downbeat` in `$XDG_RUNTIME_DIR`, or in `/run/user/UID` if that variable is not set or the
/// folder belongs to another user, as after `sudo`; otherwise `/dev/shm/downbeat-UID`.
package enum SharedFolder {
  /// Opens the folder.
  ///
  /// - Parameter makes: True to create the folder if it does not exist.
  /// - Returns: A descriptor; nil if the folder does not exist.
  /// - Throws: `SharedSnapshotError.unsafeFolder`, `.folder`.
  package static func open(making makes: Bool) throws(SharedSnapshotError) -> Int32? {
    let user = geteuid()
    for parent in [runtimeFolder, "/run/user/\(user)"] {
      guard let parent, isPrivate(parent, of: user) else { continue }
      return try open("\(parent)/downbeat", making: makes)
    }
    return try open("/dev/shm/downbeat-\(user)", making: makes)
  }

  /// Returns the names of the files in the folder.
  package static func files(in folder: Int32) -> [String] {
    let copy = dup(folder)
    guard let stream = unsafe fdopendir(copy) else {
      close(copy)
      return []
    }
    defer { unsafe _ = closedir(stream) }
    unsafe rewinddir(stream)
    var names: [String] = []
    while let entry = unsafe readdir(stream) {
      let name = unsafe withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
        unsafe FileName.text(of: bytes.prefix { $0 != 0 })
      }
      names.append(name)
    }
    return names
  }

  private static var runtimeFolder: String? {
    guard let value = unsafe getenv("XDG_RUNTIME_DIR") else { return nil }
    let path = unsafe FileName.text(cString: value)
    return path.hasPrefix("/") ? path : nil
  }

  private static func isPrivate(_ path: String, of user: uid_t) -> Bool {
    var status = stat()
    return path.withSystemPath { unsafe stat($0, &status) } == 0
      && status.st_mode & S_IFMT == S_IFDIR
      && status.st_uid == user && status.st_mode & 0o077 == 0
  }

  private static func open(
    _ path: String, making makes: Bool
  ) throws(SharedSnapshotError) -> Int32? {
    do throws(PrivateFolder.Refusal) {
      return try PrivateFolder.open(path, making: makes, makingParents: false)
    } catch {
      switch error {
      case .system(ENOENT) where !makes: return nil
      case .system(let code): throw .folder(path: path, code: code)
      case .otherKind, .notPrivate: throw .unsafeFolder(path: path)
      }
    }
  }
}
