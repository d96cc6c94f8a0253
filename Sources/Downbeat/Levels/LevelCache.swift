// SPDX-License-Identifier: Apache-2.0
internal import FileNames
internal import Glibc
internal import WholeFiles

/// The folder, open to this user only, in which the levels of soundfonts are kept between runs.
///
/// It is `downbeat` in `$XDG_CACHE_HOME` (`~/.cache`), with a file for each choice of fonts, which
/// is valid as long as the fonts have not changed. Where anything is wrong with a file or the
/// folder, the levels are measured anew.
///
/// Source: XDG Base Directory Specification 0.8.
public struct LevelCache: Sendable {
  private let folder: String

  /// The cache that the variables name; nil where they name none.
  ///
  /// - Parameter environment: the variables of the process.
  public init?(environment: [String: String]) {
    guard let base = PrivateFile.base("XDG_CACHE_HOME", ".cache", environment) else { return nil }
    folder = base
  }

  /// The cache that the variables of this process name; nil where they name none.
  public static var standard: LevelCache? {
    let names = ["XDG_CACHE_HOME", "HOME"]
    let values = names.compactMap { name in
      unsafe getenv(name).map { unsafe (name, FileName.text(cString: $0)) }
    }
    return LevelCache(environment: Dictionary(uniqueKeysWithValues: values))
  }

  /// Where the levels are kept of what settings play from; nil where that is nowhere.
  func place(for settings: SessionSettings) -> LevelCachePlace? {
    LevelCachePlace(settings, in: folder)
  }
}
