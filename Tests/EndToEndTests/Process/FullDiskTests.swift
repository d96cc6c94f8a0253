// SPDX-License-Identifier: Apache-2.0
import Foundation
import Glibc
import TestSupport
import Testing

/// A disk without room, and one without names, of memory in a name space of our own.
@Suite struct FullDiskTests {
  private static let songs = ["canon", "chorale"].map {
    ToolRun.packageFolder.appendingPathComponent("Songs/\($0).mid").path
  }
  private static let font = ToolRun.packageFolder.appendingPathComponent("Soundfonts/Downbeat.sf2")

  /// Runs the command in bash with a small disk at `$D`, and prints the files that remain there.
  private func run(_ words: String, disk options: String) throws -> ToolRun {
    let scratch = try ScratchFolder()
    let script = """
      mount -t tmpfs -o \(options) tmpfs "$D" || exit 99
      "$0" \(words); status=$?
      ls -A "$D"; exit $status
      """
    let user = getuid() == 0 ? "-m" : "-rm"
    let run = try ToolRun(
      [user, "bash", "-c", script, ToolRun.command],
      environment: [
        "D": scratch.url.path, "ONE": Self.songs[0], "OTHER": Self.songs[1],
        "DOWNBEAT_SOUNDFONT": Self.font.path, "XDG_RUNTIME_DIR": nil,
      ], command: "/usr/bin/unshare")
    if run.status == 99 || run.errors.contains("unshare: ") {
      try Test.cancel("no name space to mount a disk in: \(run.errors)")
    }
    return run
  }

  @Test(arguments: [
    (#"plot "$ONE" -o "$D/x.svg""#, "size=8k", 74, "x.svg: cannot be written: no space left"),
    (#"plot "$ONE" -o "$D/x.html""#, "size=8k", 74, "x.html: cannot be written: no space left"),
    (
      #"render "$ONE" "$OTHER" --output-dir "$D/out" --length 9s"#, "size=1m", 74,
      "canon.wav: needs 5.2 MB for 0:09 of sound, and only 1.0 MB is free"
    ),
    (
      #"render "$ONE" "$OTHER" --output-dir "$D/out" --length 1s"#, "size=1m,nr_inodes=1", 73,
      "out: no space left on device"
    ),
    (
      #"play "$ONE" --audio null --ipc "$D/socket""#, "size=1m,nr_inodes=1", 73,
      "socket: cannot be created: no space left on device"
    ),
  ])
  func `a full disk is reported, and no file is left`(
    words: String, disk: String, status: Int32, sentence: String
  ) throws {
    let run = try run(words, disk: disk)
    #expect(run.status == status, "\(words): \(run.errors)")
    #expect(run.errors.contains(sentence), "\(words): \(run.errors)")
    #expect(run.output.isEmpty, "\(words): \(run.text)")
  }
}
