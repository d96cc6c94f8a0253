// SPDX-License-Identifier: Apache-2.0
import Foundation
import Glibc
import TestSupport
import Testing

/// The command in a root without `/proc`, as in a bare chroot or early in the boot.
@Suite struct BareRootTests {
  /// Runs a shell script without a mounted `/proc`; `$0` is the command.
  private func run(_ script: String, _ words: [String] = []) throws -> ToolRun {
    let whole = "umount -l /proc && test ! -e /proc/self || exit 99; " + script
    return try ToolRun(
      ["-m", "/bin/bash", "-c", whole, ToolRun.command] + words, command: "/usr/bin/unshare",
      limit: 60)
  }

  private static let isAble: Bool = {
    let script = "umount -l /proc && test ! -e /proc/self"
    do {
      guard geteuid() == 0 else { return false }
      return try ToolRun(["-m", "/bin/bash", "-c", script], command: "/usr/bin/unshare").status == 0
    } catch {
      return false
    }
  }()

  @Test(.enabled(if: isAble, "needs root, to unmount /proc in a mount namespace of its own"))
  func `words are understood, and files are read, rendered and played`() throws {
    let scratch = try ScratchFolder()
    let song = try scratch.write("song.mid", SongBytes.notes(2, every: 240))
    #expect(try run("exec \"$0\" --version").text == ToolRun(["--version"]).text)
    let info = try run("exec \"$0\" info \"$1\"", [song])
    #expect(info.status == 0 && info.text.contains("song.mid"), "\(info.text) \(info.errors)")
    let wrong = try run("exec \"$0\" plya")
    #expect(wrong.status == 64 && wrong.errors.contains("did you mean play?"), "\(wrong.errors)")
    let font = ToolRun.packageFolder.appendingPathComponent("Soundfonts/Downbeat.sf2").path
    let sound = scratch.path("song.wav")
    let rendered = try run(
      "exec \"$0\" render \"$1\" -s \"$2\" -o \"$3\"", [song, font, sound])
    #expect(rendered.status == 0, "\(rendered.errors)")
    #expect(FileManager.default.fileExists(atPath: sound))
    let played = try run("exec \"$0\" play \"$1\" -s \"$2\" --audio null", [song, font])
    #expect(played.status == 0, "\(played.errors)")
  }

  @Test(.enabled(if: isAble, "needs root, to unmount /proc in a mount namespace of its own"))
  func `the command finds its own program`() throws {
    // `lv2 list` starts it again to try each plug-in, by a path that was relative.
    let list = try run("cd \"${0%/*}\" && ./\"${0##*/}\" lv2 list >/dev/null")
    #expect(!list.errors.contains("cannot be started"), "\(list.status) \(list.errors)")
  }

  @Test(.enabled(if: isAble, "needs root, to unmount /proc in a mount namespace of its own"))
  func `a socket that was asked for is refused with the reason`() throws {
    let scratch = try ScratchFolder()
    try FileManager.default.setAttributes(
      [.posixPermissions: 0o700], ofItemAtPath: scratch.url.path)
    let song = try scratch.write("song.mid", SongBytes.notes(2, every: 240))
    let run = try run(
      "exec \"$0\" play \"$1\" --audio null --ipc \"$2\"", [song, scratch.path("player")])
    #expect(run.status == 69 && run.errors.contains("sockets need /proc"), "\(run.errors)")
  }
}
