// SPDX-License-Identifier: Apache-2.0
internal import Glibc
internal import LV2Units

/// The command as the process that tries plug-ins, which may end it.
enum PluginTrial {
  /// What the command is started with to try the plug-ins of bundles; it is no command of its own.
  static let word = "lv2-trial"
  /// What it is started with to have a plug-in render: its URI and its bundle follow.
  static let checkingWord = "lv2-rehearsal"

  /// Does what the process was started for and ends it, where that is to try plug-ins.
  static func serveIfAssigned() {
    let words = CommandLine.arguments.dropFirst()
    let rest = Array(words.dropFirst())
    switch words.first {
    case word:
      do { try LV2Discovery.answer(rest, say) } catch { exit(ExitStatus.failure.rawValue) }
    case checkingWord where rest.count == 2:
      do {
        let world = try LV2World(bundles: [rest[1]])
        for line in try PluginRehearsal(rest[0], in: world).lines { say(line) }
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
