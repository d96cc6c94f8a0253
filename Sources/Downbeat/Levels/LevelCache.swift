// SPDX-License-Identifier: Apache-2.0
internal import FileNames
internal import Glibc
internal import WholeFiles

/// The folder that stores the measured levels of soundfonts between runs.
///
/// The folder is `downbeat` in `$XDG_CACHE_HOME` (default `~/.cache`), and only the user has access
/// to it. The folder has one file for each selection of fonts; a file becomes invalid when one of
/// its fonts changes. If a file or the folder cannot be used, the levels are measured again.
///
/// Source: XDG Base Directory Specification 0.8.
public struct LevelCache: Sendable {
  private let folder: String

  /// Creates the cache that the environment selects; nil if neither `XDG_CACHE_HOME` nor `HOME` is
  /// set.
  ///
  /// - Parameter environment: The environment variables of the process.
  public init?(environment: [String: String]) {
    guard let base = PrivateFile.base("XDG_CACHE_HOME", ".cache", environment) else { return nil }
    folder = base
  }

  /// The cache that the environment of this process selects; nil if neither `XDG_CACHE_HOME` nor
  /// `HOME` is set.
  public static var standard: LevelCache? {
    let names = ["XDG_CACHE_HOME", "HOME"]
    let values = names.compactMap { name in
      unsafe getenv(name).map { unsafe (name, FileName.text(cString: $0)) }
    }
    return LevelCache(environment: Dictionary(uniqueKeysWithValues: values))
  }

  /// The file for the fonts of some settings; nil if a font is missing.
  func place(for settings: SessionSettings) -> LevelCachePlace? {
    LevelCachePlace(settings, in: folder)
  }
}
