// SPDX-License-Identifier: Apache-2.0
internal import Glibc
internal import LV2Units
internal import Realtime

/// The command as the process that tries plug-ins, which may end it.
enum PluginTrial {
  /// What the command is started with to try the plug-ins of bundles; it is no command of its own.
  static let word = "lv2-trial"
  /// What it is started with to have a plug-in render: its URI and its bundle follow.
  static let checkingWord = "lv2-rehearsal"

  /// Has plug-ins that open windows' libraries do without a display, where nobody says otherwise.
  ///
  /// Qt ends the process where it finds none. For the first thread, before there are others.
  static func needNoDisplay() {
    unsafe setenv("QT_QPA_PLATFORM", "offscreen", 0)
  }

  /// Does what the process was started for and ends it, where that is to try plug-ins.
  static func serveIfAssigned() {
    let words = ProcessArguments.all.dropFirst()
    let rest = Array(words.dropFirst())
    switch words.first {
    case word:
      do { try LV2Discovery.answer(rest, say) } catch { exit(ExitStatus.failure.rawValue) }
    case checkingWord where rest.count == 2:
      do {
        let world = try LV2World(bundles: [rest[1]])
        say("read \(rest[1])")
        let rehearsal = try PluginRehearsal(rest[0], in: world) { say("next \($0)") }
        for fault in rehearsal.faults { say("fault \(fault.json)") }
        say("load \(rehearsal.load)")
        say("longest \(rehearsal.longest / 1000)")
      } catch {
        say("unusable \(error)")
      }
    default: return
    }
    // What plug-ins left behind in their libraries is not waited for.
    _exit(0)
  }

  private static func say(_ line: String) {
    let bytes = Array((line + "\n").utf8)
    _ = unsafe write(STDOUT_FILENO, bytes, bytes.count)
  }
}
