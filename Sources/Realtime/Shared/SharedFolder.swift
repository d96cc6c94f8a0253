// SPDX-License-Identifier: Apache-2.0
internal import FileNames
internal import Glibc
internal import WholeFiles

/// The folder in memory in which one user's named pieces of memory and sockets lie, open to nobody
/// else.
///
/// It is `downbeat` in `$XDG_RUNTIME_DIR`, or in `/run/user/UID` where that is not set or belongs
/// to another user, as it does after `sudo`; else `/dev/shm/downbeat-UID`.
package enum SharedFolder {
  /// Opens the folder.
  ///
  /// - Parameter makes: Whether it is made where it is not there.
  /// - Returns: A descriptor; nil where it is not there.
  /// - Throws: `SharedSnapshotError.unsafeFolder`, `.folder`.
  package static func open(making makes: Bool) throws(SharedSnapshotError) -> Int32? {
    let user = geteuid()
    for parent in [runtimeFolder, "/run/user/\(user)"] {
      guard let parent, isPrivate(parent, of: user) else { continue }
      return try open("\(parent)/downbeat", making: makes)
    }
    return try open("/dev/shm/downbeat-\(user)", making: makes)
  }

  /// The names of the files in the folder.
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
