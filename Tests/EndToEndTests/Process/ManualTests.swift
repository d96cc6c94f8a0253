// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

/// The manual pages and completions that are installed with the command.
@Suite struct ManualTests {
  private static let command = ToolRun.program("downbeat-manual")
  static let hasGroff = FileManager.default.fileExists(atPath: "/usr/bin/groff")

  private let scratch: ScratchFolder

  init() throws {
    scratch = try ScratchFolder()
    let run = try ToolRun([scratch.path("manual")], command: Self.command)
    try #require(run.status == 0, "\(run.errors)")
  }

  private func pages() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: scratch.path("manual/man1")).sorted()
  }

  @Test func `every command has a page`() throws {
    let kept = try FileManager.default.contentsOfDirectory(
      atPath: ToolRun.packageFolder.appendingPathComponent("Tests/EndToEndTests/Help").path)
    #expect(try pages() == kept.map { $0.replacing(".txt", with: ".1") }.sorted())
  }

  @Test func `the same command gives the same pages`() throws {
    let again = try ToolRun([scratch.path("again")], command: Self.command)
    #expect(again.status == 0)
    for name in try pages() {
      let first = FileManager.default.contents(atPath: scratch.path("manual/man1/\(name)"))
      #expect(first == FileManager.default.contents(atPath: scratch.path("again/man1/\(name)")))
    }
  }

  @Test(.enabled(if: hasGroff, "no groff: apt install groff-base"))
  func `groff finds nothing to warn of, and every option stands on its page`() throws {
    for name in try pages() {
      let path = scratch.path("manual/man1/\(name)")
      let run = try ToolRun(["-man", "-Tutf8", "-ww", "-P-cbou", path], command: "/usr/bin/groff")
      #expect(run.status == 0)
      #expect(run.errors.isEmpty, "\(name): \(run.errors)")
      #expect(run.text.contains("NAME"))
      let words = name.dropLast(2).split(separator: "-").dropFirst().map(String.init)
      let help = try CommandRun(words + ["--help-all"]).text
      for option in Set(help.matches(of: /--[a-z][a-z-]+/).map { String($0.output) }) {
        #expect(run.text.replacing("\u{2010}\n", with: "").contains(option), "\(name): \(option)")
      }
    }
  }

  private static let typed: [(line: String, offer: String)] = [
    ("downbeat pl", "play"), ("downbeat play --soundf", "--soundfont"),
    ("downbeat play so", "song.mid"), ("downbeat sound info to", "tone.wav"),
    ("downbeat play --soundfont ti", "tiny.sf2"),
    ("downbeat soundfont demo --program violi", "violin"),
    ("downbeat convert --clock stu", "studio"), ("downbeat clock ser", "serve"),
  ]

  /// Types the start of a line and the Tab key into a shell on a separate terminal.
  @Test(arguments: ["bash", "zsh", "fish"])
  func `a shell completes what is begun`(shell: String) async throws {
    guard
      let path = ["/usr/bin/", "/bin/"].map({ $0 + shell }).first(where: {
        FileManager.default.isExecutableFile(atPath: $0)
      })
    else {
      try Test.cancel("no \(shell): apt install \(shell)")
    }
    for name in ["song.mid", "song.txt", "tone.wav", "tiny.sf2"] {
      try Data().write(to: URL(fileURLWithPath: scratch.path(name)))
    }
    let runtime = scratch.path("runtime")
    try FileManager.default.createDirectory(
      atPath: runtime, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
    let served = try RunningTool(
      ["clock", "serve", "studio", "--stopped"], environment: ["XDG_RUNTIME_DIR": runtime],
      folder: scratch.url)
    // The child must be awaited, because otherwise the exit tests of swift-testing wait forever.
    defer { #expect(throws: Never.self) { try served.end(by: SIGKILL) } }
    while try ToolRun(
      ["convert", "--clock", "studio", "now"], environment: ["XDG_RUNTIME_DIR": runtime]
    ).status != 0 {
      try await Task.sleep(for: .milliseconds(20))
    }
    let run = try ToolRun(
      [Self.typist, path, scratch.path("manual")] + Self.typed.flatMap { [$0.line, $0.offer] },
      environment: [
        "HOME": scratch.path("."), "TERM": "xterm", "XDG_RUNTIME_DIR": runtime,
        "PATH": "\(URL(fileURLWithPath: ToolRun.command).deletingLastPathComponent().path)"
          + ":/usr/bin:/bin",
      ], command: "/usr/bin/python3", folder: scratch.url)
    #expect(run.status == 0, "\(run.errors)")
    let screens = run.text.split(separator: "\n", omittingEmptySubsequences: false)
    for (typed, screen) in zip(Self.typed, screens) {
      #expect(screen.contains(typed.offer), "\(shell): \(typed.line)")
      #expect(!screen.contains("song.txt"))
    }
    #expect(screens.count > Self.typed.count)
  }

  private static let typist = ToolRun.packageFolder.appendingPathComponent(
    "Tests/EndToEndTests/Process/type-in-shell.py"
  ).path
}
