// SPDX-License-Identifier: Apache-2.0
internal import CommandKit
internal import CommandOptions
internal import FileNames
internal import Glibc
internal import PlayerControl
internal import PlayerViews
internal import WholeFiles

/// A folder of stems that is complete or does not exist.
///
/// The stems are written to a temporary folder next to the final one, which it then replaces.
struct StemFolder {
  /// The path of the temporary folder.
  let passing: String
  private let target: String
  private let replaces: Bool

  /// Creates the temporary folder.
  ///
  /// - Parameters:
  ///   - path: The final path of the folder.
  ///   - overwrite: True if a folder that contains only stems may be replaced.
  /// - Throws: `Failure` if the folder exists and may not be replaced, or if it cannot be created.
  init(_ path: String, overwrite: Bool) throws {
    var bare = path
    while bare.count > 1, bare.hasSuffix("/") { bare.removeLast() }
    if let real = bare.withSystemPath({ unsafe realpath($0, nil) }) {
      defer { unsafe free(real) }
      target = unsafe FileName.text(cString: real)
      let names = try Self.names(in: target)
      guard names.isEmpty || overwrite else {
        throw Failure(.noOutput, "\(path): already exists (--overwrite replaces its stems)")
      }
      if let other = names.first(where: { !Self.isStem($0) }) {
        throw Failure(
          .noOutput, "\(path): not replaced, because it contains other files, such as \(other)")
      }
      replaces = !names.isEmpty
    } else {
      (target, replaces) = (bare, false)
    }
    let parent: String
    if let slash = target.lastIndex(of: "/") {
      parent = String(target[...slash])
    } else {
      parent = ""
    }
    do {
      passing = try WholeFolder.make(in: parent)
    } catch .refused(let code) {
      throw Failure(.noOutput, "\(path): \(systemMessage(code))")
    }
  }

  /// Renames the folder to its final path.
  ///
  /// The stems of a folder that it replaces are removed.
  func keep() throws {
    guard replaces else {
      // The final path does not exist, or is an empty folder.
      guard WholeFolder.rename(passing, target) else { throw Self.failure(target) }
      return
    }
    let code = WholeFolder.exchange(passing, target)
    guard code == 0 else {
      throw Failure(.noOutput, "\(target): \(systemMessage(code))")
    }
    remove()
  }

  /// Removes the temporary folder and its stems.
  func remove() {
    do {
      for name in try Self.names(in: passing) where Self.isStem(name) {
        "\(passing)/\(name)".withSystemPath { unsafe _ = unlink($0) }
      }
    } catch {
      // The folder was already removed.
    }
    passing.withSystemPath { unsafe _ = rmdir($0) }
  }

  /// Returns true if a file name has the form of a stem's name.
  private static func isStem(_ name: String) -> Bool {
    StemNames.beginnings.contains { name.hasPrefix($0) }
  }

  private static func names(in folder: String) throws -> [String] {
    do {
      return try FolderListing.entries(in: folder).map(\.name).sorted()
    } catch {
      throw failure(folder)
    }
  }

  private static func failure(_ path: String) -> Failure {
    Failure(.noOutput, "\(path): \(systemMessage())")
  }
}
