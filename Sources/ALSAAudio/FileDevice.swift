// SPDX-License-Identifier: Apache-2.0
internal import CALSA
internal import FileNames
internal import Glibc

/// The file of an ALSA device with the name `file:PATH,FORMAT` or `file:FILE=PATH,FORMAT=…`.
///
/// The device fails with the same error number for any reason, so the actual reason is searched
/// here.
enum FileDevice {
  /// The reason for which the file cannot be written; empty if it can be, or for another device.
  static func trouble(of device: String) -> String {
    guard let path = path(of: device), !path.isEmpty, !path.hasPrefix("|") else { return "" }
    let folder = path.lastIndex(of: "/").map { path[...$0] } ?? "./"
    let isThere = path.withSystemPath { unsafe access($0, F_OK) } == 0
    let place = isThere ? path : String(folder)
    var code: Int32 = 0
    if place.withSystemPath({ unsafe access($0, W_OK) }) != 0 {
      code = errno
    } else if place == path, isFolder(path) {
      code = EISDIR
    }
    guard code != 0, let text = unsafe snd_strerror(-code) else { return "" }
    return "\(place): \(unsafe String(cString: text).lowercased())"
  }

  private static func isFolder(_ path: String) -> Bool {
    var status = stat()
    return path.withSystemPath { unsafe stat($0, &status) } == 0
      && status.st_mode & S_IFMT == S_IFDIR
  }

  private static func path(of device: String) -> String? {
    guard device.hasPrefix("file:") else { return nil }
    let words = device.dropFirst("file:".count).split(separator: ",").map {
      $0.filter { $0 != "'" }
    }
    let named = words.first { $0.uppercased().hasPrefix("FILE=") }
    return named.map { String($0.dropFirst("FILE=".count)) } ?? words.first
  }
}
