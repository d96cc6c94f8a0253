// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

/// The rule that every path goes to C by `withSystemPath`, against the sources.
@Suite struct SystemPathTests {
  /// Functions of C that take a path first, and those that take it second.
  private static let first = [
    "open", "fopen", "opendir", "stat", "lstat", "access", "realpath", "readlink", "mkdir", "rmdir",
    "unlink", "rename", "link", "symlink", "chmod", "chdir", "truncate", "statvfs", "strdup",
    "cwholefiles_note", "cwholefiles_exchange", "cwholefiles_rename_to_free",
  ]
  private static let second = [
    "openat", "fstatat", "unlinkat", "linkat", "renameat", "mkdirat", "posix_spawn", "posix_spawnp",
    "snd_pcm_open",
  ]

  /// The names of paths that are bytes already, and of the `open` of a mixer.
  private static let allowed = ["$0", "from", "one", "index"]

  private static func isAllowed(_ argument: Substring) -> Bool {
    let word = argument.trimmingCharacters(in: .whitespacesAndNewlines)
    return allowed.contains(word) || word.hasPrefix("\"/")
  }

  /// The calls in a source that are given a string.
  private static func offences(in source: String) -> [String] {
    let call = #/unsafe (?:_ = )?(?:Glibc\.)?(\w+)\(([^,)]*)(?:,([^,)]*))?/#
    return source.matches(of: call).compactMap { match in
      let name = String(match.1)
      if first.contains(name), !isAllowed(match.2) { return String(match.0) }
      if second.contains(name), !isAllowed(match.3 ?? "") { return String(match.0) }
      return nil
    }
  }

  @Test func `every path goes to C as bytes`() throws {
    let sources = ToolRun.packageFolder.appendingPathComponent("Sources")
    let files = FileManager.default.enumerator(atPath: sources.path)?.compactMap { $0 as? String }
    var count = 0
    for file in files ?? [] where file.hasSuffix(".swift") {
      let text = try String(contentsOf: sources.appendingPathComponent(file), encoding: .utf8)
      count += text.matches(of: #/withSystemPath/#).count
      // A name that `mkstemp` has made is bytes.
      let made = file == "WholeFiles/PrivateFolder.swift" ? ["unsafe _ = unlink(path)"] : []
      #expect(Self.offences(in: text).filter { !made.contains($0 + ")") } == [], "\(file)")
    }
    #expect(count > 40)
  }
}
