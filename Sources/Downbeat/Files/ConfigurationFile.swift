// SPDX-License-Identifier: Apache-2.0

/// The configuration files: what a person wrote down for every run.
///
/// They are `downbeat/config` in `$XDG_CONFIG_HOME` (`~/.config`), then in each of
/// `$XDG_CONFIG_DIRS` (`/etc/xdg`), with lines of `name = value` and `#` before a comment. The
/// first file that has a name decides.
///
/// Source: XDG Base Directory Specification 0.8.
public struct ConfigurationFile: Sendable {
  private let environment: [String: String]
  private let root: String

  /// Creates a view of the files that the variables name.
  ///
  /// - Parameters:
  ///   - environment: the variables of the process.
  ///   - root: a path before those of the folders that every system has; empty but in tests.
  public init(environment: [String: String], root: String = "") {
    self.environment = environment
    self.root = root
  }

  /// The values of a name, in order, from the first file that has it; `~/` is the home folder.
  public func values(of name: String) -> [(file: String, value: String)] {
    for path in paths {
      let values = lines(of: path).filter { $0.name == name }
      if !values.isEmpty { return values.map { (path, expanded($0.value)) } }
    }
    return []
  }

  /// Why files that are there could not be read, in order.
  public var troubles: [FileError] {
    paths.compactMap(Self.trouble)
  }

  private static func trouble(_ path: String) -> FileError? {
    do throws(FileError) {
      _ = try InputFile(path: path)
      return nil
    } catch {
      switch error {
      case .missing: return nil
      case .directory: return .unreadable(path, reason: "it is a directory")
      default: return error
      }
    }
  }

  private var paths: [String] {
    let home = environment["HOME"].map { $0 + "/.config" }
    let own = environment["XDG_CONFIG_HOME"].flatMap { $0.isEmpty ? nil : $0 } ?? home
    let shared = environment["XDG_CONFIG_DIRS"].flatMap { $0.isEmpty ? nil : $0 } ?? "/etc/xdg"
    let folders = shared.split(separator: ":").map { root + $0 }
    return ((own.map { [$0] } ?? []) + folders).map { "\($0)/downbeat/config" }
  }

  private func lines(of path: String) -> [(name: String, value: String)] {
    let text: String
    do {
      text = String(decoding: try InputFile(path: path).bytes, as: UTF8.self)
    } catch {
      return []
    }
    return text.split(whereSeparator: \.isNewline).compactMap { line in
      let parts = line.split(separator: "=", maxSplits: 1).map { Self.trimmed($0) }
      guard parts.count == 2, !parts[0].hasPrefix("#") else { return nil }
      return (parts[0], parts[1])
    }
  }

  private func expanded(_ value: String) -> String {
    guard value.hasPrefix("~/"), let home = environment["HOME"] else { return value }
    return home + value.dropFirst()
  }

  private static func trimmed(_ text: Substring) -> String {
    let isBlank = { (character: Character) in character == " " || character == "\t" }
    let start = text.drop(while: isBlank)
    return String(start.reversed().drop(while: isBlank).reversed())
  }
}
