// SPDX-License-Identifier: Apache-2.0
internal import CommandKit
internal import Glibc
internal import LV2Units
internal import Realtime

/// The command in the role of the process that tests plug-ins, which may crash it.
package enum PluginTrial {
  /// The argument that starts a test of the plug-ins in bundles; it is not a command for users.
  package static let word = "lv2-trial"
  /// The argument that starts a rendering test; the plug-in's URI and its bundle follow.
  static let checkingWord = "lv2-rehearsal"

  /// Lets plug-ins that use window libraries work without a display, unless the user has set the
  /// variable.
  ///
  /// Qt ends the process if it does not find a display. Call it before other threads are started.
  package static func needNoDisplay() {
    unsafe setenv("QT_QPA_PLATFORM", "offscreen", 0)
  }

  /// Tests plug-ins and ends the process, if it was started for that.
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
    // Threads that plug-ins have left behind are not waited for.
    _exit(0)
  }

  /// Moves standard output to another descriptor, because output of plug-ins would disturb the
  /// answers.
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
