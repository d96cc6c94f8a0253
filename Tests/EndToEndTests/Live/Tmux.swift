// SPDX-License-Identifier: Apache-2.0
import Foundation
import Glibc
import TestSupport

/// A terminal in tmux, with a separate server.
final class Tmux {
  /// A text that was not shown in time, and the text that is shown.
  struct Failure: Error, CustomStringConvertible {
    let description: String
  }

  static let command = "/usr/bin/tmux"
  private let scratch: ScratchFolder
  private let socket: String

  /// Starts a shell's script on a terminal of 80 columns and 24 rows.
  init(_ script: String) throws {
    scratch = try ScratchFolder()
    socket = scratch.path("tmux")
    try tell([
      "-f", "/dev/null", "new-session", "-d", "-x", "80", "-y", "24", "bash", "--norc", "-c",
      script, ToolRun.command,
    ])
  }

  deinit {
    do {
      try tell(["kill-server"])
    } catch {
      // It has ended with its script.
    }
  }

  /// Gives tmux a command.
  @discardableResult
  func tell(_ words: [String]) throws -> String {
    let run = try ToolRun(
      ["-S", socket] + words,
      environment: ["LC_ALL": "C.UTF-8", "TERM": "xterm-256color", "TMUX": nil],
      command: Self.command, folder: scratch.url)
    guard run.status == 0 else { throw Failure(description: "tmux \(words): \(run.errors)") }
    return run.text
  }

  /// Types keys, by tmux's names of them.
  func type(_ keys: String...) throws {
    try tell(["send-keys"] + keys)
  }

  /// The rows that it shows.
  var rows: [String] {
    get throws {
      try tell(["capture-pane", "-p"]).split(separator: "\n", omittingEmptySubsequences: false)
        .map(String.init)
    }
  }

  /// Waits for a text to be shown, for at most a minute.
  func wait(for text: String) throws {
    var shown = ""
    for _ in 0..<600 {
      shown = try rows.joined(separator: "\n")
      if shown.contains(text) { return }
      usleep(100_000)
    }
    throw Failure(description: "no \(text.debugDescription) in:\n\(shown)")
  }
}
