// SPDX-License-Identifier: Apache-2.0
internal import ArgumentParser
internal import CommandKit
internal import CommandOptions
internal import Downbeat
internal import FileNames
internal import Glibc
internal import PlayerControl
internal import PlayerViews
internal import PortTools
internal import SongTools
internal import SoundTools
internal import WholeFiles

/// The command `downbeat config edit`, which opens the configuration file in an editor, then checks
/// it.
struct ConfigEdit: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "edit", abstract: "Edit the configuration file, then check it.",
    discussion: "The editor is $VISUAL if that is set, otherwise $EDITOR, otherwise vi.")

  /// The editors that need a terminal.
  private static let terminalEditors: Set<Substring> = [
    "vi", "vim", "nvim", "view", "nano", "pico", "emacs", "micro", "hx", "helix", "joe", "ne",
    "mcedit", "kak", "ed", "mg", "jed",
  ]

  func run() throws {
    let path = try ConfigReport.ownPath()
    try Self.checkTerminal(path)
    if !FolderListing.isThere(path) { try Self.begin(path) }
    try Self.open(path)
    try ConfigCheck().run()
  }

  private static var editor: String {
    let variables = Environment.variables
    return variables["VISUAL"] ?? variables["EDITOR"] ?? "vi"
  }

  /// Fails if the editor would wait for keys without a terminal.
  private static func checkTerminal(_ path: String) throws(Failure) {
    let program = editor.split(separator: " ").first?.split(separator: "/").last ?? ""
    let console = Console.current
    guard terminalEditors.contains(program),
      !console.isOutputTerminal || isatty(console.inputDescriptor) == 0
    else { return }
    throw Failure(
      .usage,
      "config edit: \(program) needs a terminal (edit \(path), or use downbeat config set)")
  }

  /// Creates the configuration file, with comments only.
  private static func begin(_ path: String) throws {
    PrivateFolder.make(above: path)
    try OutputFile(path: path, overwrite: false).write(Array(template.utf8))
  }

  /// Runs the editor in this terminal, and waits for its end.
  private static func open(_ path: String) throws {
    let editor = editor
    // The variable may contain arguments. The shell splits it, as for all programs that use it.
    let words = ["sh", "-c", "\(editor) \"$1\"", "sh", path]
    var pointers = unsafe words.map { $0.withSystemPath { unsafe strdup($0) } } + [nil]
    defer { unsafe pointers.forEach { unsafe free($0) } }
    var process = pid_t()
    let code = unsafe posix_spawn(&process, "/bin/sh", nil, nil, &pointers, environ)
    guard code == 0 else {
      throw Failure(.failure, "sh: \(systemMessage(code))")
    }
    var status: Int32 = 0
    while unsafe waitpid(process, &status, 0) < 0, errno == EINTR {}
    guard status == 0 else {
      throw Failure(.failure, "\(editor): failed (set EDITOR to another editor)")
    }
  }

  private static let template = """
    # Settings of downbeat: defaults of options. `downbeat play --help-all` lists those of play.
    # soundfont = "FluidR3_GM.sf2"
    # [play]
    # gain = "-3dB"
    # [profile.stage.play]        # downbeat play --profile stage
    # audio = "hw:1,0"

    """
}
