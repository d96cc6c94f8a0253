// SPDX-License-Identifier: Apache-2.0
internal import FileNames
package import TOMLText
internal import WholeFiles

/// The user's settings for every run, from configuration files.
///
/// The files are `downbeat/config.toml` in `$XDG_CONFIG_HOME` (default `~/.config`), then in each
/// folder of `$XDG_CONFIG_DIRS` (default `/etc/xdg`). `$DOWNBEAT_CONFIG` names one file to read
/// instead of these; if it is empty, no file is read. The first file that has a setting determines
/// its value.
///
/// Source: XDG Base Directory Specification 0.8.
package struct Configuration: Sendable {
  /// A setting, with the file and line that contain it.
  package struct Setting: Hashable, Sendable {
    /// The names of its tables, followed by its own name.
    package let path: [String]
    package let value: TOMLValue
    package let file: String
    /// The line in the file, from 1.
    package let line: Int

    package init(path: [String], value: TOMLValue, file: String, line: Int) {
      (self.path, self.value, self.file, self.line) = (path, value, file, line)
    }
  }

  /// The settings of all files; those of the first file are first.
  package let settings: [Setting]
  /// The errors of files that could not be read, in order; such files are ignored.
  package let troubles: [ConfigurationError]
  private let home: String?

  /// The largest file that is read, in bytes.
  package static let limit = 1 << 20

  /// Reads the files that the environment selects.
  ///
  /// - Parameters:
  ///   - environment: The environment variables of the process.
  ///   - root: A path that is put before the folders of the system; empty except in tests.
  package init(environment: [String: String], root: String = "") {
    var (settings, troubles): ([Setting], [ConfigurationError]) = ([], [])
    let isNamed = environment["DOWNBEAT_CONFIG"] != nil
    for path in Self.paths(environment, root) {
      do throws(ConfigurationError) {
        // A named file may be a pipe; a pipe in the usual folders would block.
        guard isNamed || !FolderListing.isSpecialFile(path) else {
          throw ConfigurationError.unreadable(.unreadable(path, reason: "it is not a regular file"))
        }
        settings += try Self.read(path)
      } catch {
        troubles.append(error)
      }
    }
    self.settings = settings
    self.troubles = troubles
    home = environment["HOME"]
  }

  /// Reads one file; without the file, the result is empty.
  package static func read(_ path: String) throws(ConfigurationError) -> [Setting] {
    let bytes: [UInt8]
    do {
      bytes = try InputFile(path: path, limit: limit).bytes
    } catch {
      switch error {
      case .missing: return []
      case .directory: throw .unreadable(.unreadable(path, reason: "it is a directory"))
      default: throw .unreadable(error)
      }
    }
    do {
      return try TOMLReader.read(bytes).map {
        Setting(path: $0.path, value: $0.value, file: path, line: $0.line)
      }
    } catch {
      throw .malformed(path: path, line: error.line, reason: error.reason)
    }
  }

  /// The texts of a setting outside all tables, in order, with `~/` expanded to the home folder.
  package func texts(of name: String) -> [(file: String, text: String)] {
    guard let setting = settings.first(where: { $0.path == [name] }) else { return [] }
    let values = if case .array(let values) = setting.value { values } else { [setting.value] }
    return values.compactMap { value in
      guard case .text(let text) = value else { return nil }
      return (setting.file, expanded(FileName.text(of: text.utf8)))
    }
  }

  /// The paths of the files, the user's file first; empty if the variables name none.
  package static func paths(_ environment: [String: String], _ root: String = "") -> [String] {
    if let only = environment["DOWNBEAT_CONFIG"] { return only.isEmpty ? [] : [only] }
    let home = environment["HOME"].map { $0 + "/.config" }
    let own = environment["XDG_CONFIG_HOME"].flatMap { $0.isEmpty ? nil : $0 } ?? home
    let shared = environment["XDG_CONFIG_DIRS"].flatMap { $0.isEmpty ? nil : $0 } ?? "/etc/xdg"
    let folders = shared.split(separator: ":").map { root + $0 }
    return ((own.map { [$0] } ?? []) + folders).map { "\($0)/downbeat/config.toml" }
  }

  private func expanded(_ text: String) -> String {
    guard text.hasPrefix("~/"), let home else { return text }
    return home + text.dropFirst()
  }
}
