// SPDX-License-Identifier: Apache-2.0
internal import FileNames
internal import Foundation

/// The name of a new file.
enum OutputPlace {
  /// Checks that a file can be created.
  ///
  /// - Throws: `fileAlreadyExists` if a file has the name, otherwise the error of the folder.
  static func check(_ path: String) throws(AVError) {
    if path.withSystemPath({ unsafe access($0, F_OK) }) == 0 {
      throw AVError(.fileAlreadyExists, "\(path): already exists (remove it first)")
    }
    let slash = path.lastIndex(of: "/")
    let folder = slash.map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "."
    if folder.withSystemPath({ unsafe access($0, W_OK) }) != 0 {
      let cause = AVError.Cause(domain: NSPOSIXErrorDomain, code: Int(errno))
      throw AVError(.unknown, "\(path): its folder cannot be written to", cause)
    }
  }
}
