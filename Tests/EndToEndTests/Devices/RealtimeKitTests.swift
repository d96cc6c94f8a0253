// SPDX-License-Identifier: Apache-2.0
import Foundation
import Glibc
import TestSupport
import Testing

/// Whether the witness can run, and take root's right to a priority away.
private let hasWitness =
  geteuid() == 0
  && ["dbus-daemon", "setpriv", "prlimit"].allSatisfy {
    FileManager.default.isExecutableFile(atPath: "/usr/bin/\($0)")
  } && hasModules

private var hasModules: Bool {
  do {
    let run = try ToolRun(
      ["-c", "import dbus; from gi.repository import GLib"], command: "/usr/bin/python3")
    return run.status == 0
  } catch {
    return false
  }
}

/// The command where limits forbid it a priority, beside a RealtimeKit of the test's own.
@Suite(.enabled(if: hasWitness, "no python3-dbus, python3-gi or dbus-daemon, or not root"))
struct RealtimeKitTests {
  private let scratch: ScratchFolder
  private let font = ToolRun.packageFolder.appendingPathComponent("Soundfonts/Downbeat.sf2").path

  init() throws { scratch = try ScratchFolder() }

  @Test func `each thread with a deadline is given its priority, and none asks for itself`() throws
  {
    let script = ToolRun.packageFolder.appendingPathComponent(
      "Tests/EndToEndTests/Devices/rtkit.py")
    let song = try scratch.write("song.mid", SongBytes.notes(2, every: 240))
    let run = try ToolRun(
      [
        script.path, scratch.url.path, ToolRun.command, "play", song, "--audio", "null",
        "--soundfont", font, "--plain",
      ], command: "/usr/bin/python3", limit: 60)
    let lines = run.text.split(separator: "\n").map(String.init)
    #expect(lines.last == "0", "\(run.text)\(run.errors)")
    // SCHED_RR is 2; the priorities are shares of 20, the highest, as 70, 60 and 10 are of 99.
    for (name, priority) in [("render", 14), ("events", 12), ("notifier", 2)] {
      let line =
        #"{"isMain": false, "name": "\#(name)", "policy": 2, "priority": \#(priority)}"#
      #expect(lines.contains(line), "\(run.text)\(run.errors)")
    }
    #expect(!run.errors.contains("real-time scheduling was refused"), "\(run.errors)")
  }
}
