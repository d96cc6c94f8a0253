// SPDX-License-Identifier: Apache-2.0
internal import FileNames
internal import Glibc
internal import Realtime

/// The players of this user that can be controlled.
///
/// Each has a socket in the folder that also contains served clocks:
/// `$XDG_RUNTIME_DIR/downbeat/player-PID.socket`.
package enum RunningPlayers {
  private static let (prefix, suffix) = ("player-", ".socket")

  /// The folder, the path and the name of the socket of this process.
  ///
  /// - Throws: `SharedSnapshotError` if no private folder exists.
  static func ownPlace() throws -> (folder: Int32, path: String, name: String) {
    guard let folder = try SharedFolder.open(making: true) else {
      throw ControlError(.noOutput, "sockets: no private folder (set XDG_RUNTIME_DIR)")
    }
    let name = "\(prefix)\(getpid())\(suffix)"
    return (folder, "\(path(of: folder))/\(name)", name)
  }

  /// The paths of the sockets on which a process listens; socket files of ended processes are
  /// removed.
  ///
  /// - Throws: `SharedSnapshotError` if other users can write to the folder.
  package static func paths() throws -> [String] {
    guard let folder = try SharedFolder.open(making: false) else { return [] }
    defer { close(folder) }
    let names = SharedFolder.files(in: folder).filter {
      $0.hasPrefix(prefix) && $0.hasSuffix(suffix)
    }
    return try names.sorted().filter { try isAlive($0, in: folder) }.map {
      "\(path(of: folder))/\($0)"
    }
  }

  private static func isAlive(_ name: String, in folder: Int32) throws -> Bool {
    do {
      close(try UnixAddress(name: name, in: folder, path: name).connected())
      return true
    } catch let refusal as UnixAddress.Refusal {
      if refusal.code == ECONNREFUSED {
        name.withSystemPath { unsafe _ = unlinkat(folder, $0, 0) }
      }
      return refusal.code == EAGAIN
    }
  }

  /// The path of an open folder.
  private static func path(of folder: Int32) -> String {
    var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
    let count = unsafe readlink("/proc/self/fd/\(folder)", &buffer, buffer.count)
    return FileName.text(of: buffer.prefix(max(count, 0)).map(UInt8.init(bitPattern:)))
  }
}
