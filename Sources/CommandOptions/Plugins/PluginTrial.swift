// SPDX-License-Identifier: Apache-2.0
internal import CommandKit
internal import Glibc
internal import LV2Units
internal import Realtime

/// The command as the process that tries plug-ins, which may end it.
package enum PluginTrial {
  /// What the command is started with to try the plug-ins of bundles; it is no command of its own.
  package static let word = "lv2-trial"
  /// What it is started with to have a plug-in render: its URI and its bundle follow.
  static let checkingWord = "lv2-rehearsal"

  /// Has plug-ins that open windows' libraries do without a display, where nobody says otherwise.
  ///
  /// Qt ends the process where it finds none. For the first thread, before there are others.
  package static func needNoDisplay() {
    unsafe setenv("QT_QPA_PLATFORM", "offscreen", 0)
  }

  /// Does what the process was started for and ends it, where that is to try plug-ins.
  package static func serveIfAssigned() {
    let words = ProcessArguments.all.dropFirst()
    let rest = Array(words.dropFirst())
    guard words.first == word || words.first == checkingWord && rest.count == 2 else { return }
    TrialProcess.endWithParent()
    LV2LastWords.arm(program: "downbeat")
    let output = takeOutput()
    func say(_ line: String) { write(line, to: output) }
    switch words.first {
    case word:
      do { try LV2Discovery.answer(rest, say) } catch { _exit(ExitStatus.failure.rawValue) }
    default:
      do {
        let world = try LV2World(bundles: [rest[1]])
        say("read \(rest[1])")
        let rehearsal = try PluginRehearsal(rest[0], in: world) { say("next \($0)") }
        for fault in rehearsal.faults { say("fault \(fault.json)") }
        say("load \(rehearsal.load)")
        say("longest \(rehearsal.longest / 1000)")
        say("done all")
      } catch {
        say("unusable \(error)")
      }
    }
    // What plug-ins left behind in their libraries is not waited for.
    _exit(0)
  }

  /// Moves standard output out of the plug-ins' way: what they print would spoil the answers.
  private static func takeOutput() -> Int32 {
    let output = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 10)
    guard output >= 0 else { _exit(ExitStatus.failure.rawValue) }
    dup2(STDERR_FILENO, STDOUT_FILENO)
    return output
  }

  private static func write(_ line: String, to output: Int32) {
    let bytes = Array((line + "\n").utf8)
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = unsafe rest.withUnsafeBytes {
        unsafe Glibc.write(output, $0.baseAddress, $0.count)
      }
      if count < 0, errno == EINTR { continue }
      // If the reader is gone, no answer is needed.
      guard count > 0 else { _exit(ExitStatus.failure.rawValue) }
      rest = rest.dropFirst(count)
    }
  }
}
