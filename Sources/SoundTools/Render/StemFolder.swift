// SPDX-License-Identifier: Apache-2.0
internal import CommandKit
internal import CommandOptions
internal import FileNames
internal import Glibc
internal import PlayerControl
internal import PlayerViews
internal import WholeFiles

/// A folder of stems that appears whole, or not at all.
///
/// The stems are written into a folder under a temporary name beside it, which then takes its
/// place.
struct StemFolder {
  /// Where the stems are written.
  let passing: String
  private let target: String
  private let replaces: Bool

  /// Makes the folder under its temporary name.
  ///
  /// - Parameters:
  ///   - path: the name that it is to have.
  ///   - overwrite: whether a folder that holds nothing but stems may be replaced.
  /// - Throws: `Failure` where the name is taken, or the folder cannot be made.
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

  /// Gives the folder its name; the stems that had the name before are removed.
  func keep() throws {
    guard replaces else {
      // Over nothing, or over a folder that is empty.
      guard WholeFolder.rename(passing, target) else { throw Self.failure(target) }
      return
    }
    let code = WholeFolder.exchange(passing, target)
    guard code == 0 else {
      throw Failure(.noOutput, "\(target): \(systemMessage(code))")
    }
    remove()
  }

  /// Removes what has the passing name.
  func remove() {
    do {
      for name in try Self.names(in: passing) where Self.isStem(name) {
        "\(passing)/\(name)".withSystemPath { unsafe _ = unlink($0) }
      }
    } catch {
      // It is gone already.
    }
    passing.withSystemPath { unsafe _ = rmdir($0) }
  }

  /// Whether a file is called as stems are.
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
