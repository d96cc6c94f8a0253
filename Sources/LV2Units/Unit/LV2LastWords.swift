// SPDX-License-Identifier: Apache-2.0
internal import CLilv
internal import Glibc

/// Reports the plug-in that is responsible if the program crashes, ends or hangs.
public enum LV2LastWords {
  /// Turns on a report on standard error if a plug-in crashes or ends the program.
  ///
  /// The report is one line: `downbeat: urn:a:plug-in: this plug-in has crashed: …`.
  ///
  /// After a crash, the process ends by the same signal as without the report, so that a process
  /// that waits for it receives the signal. If a plug-in calls `exit` or a similar function, the
  /// process ends with status 74, not with the status that the plug-in passed. Call this function
  /// before the first unit is created; only the first call has an effect. The function handles the
  /// signals SEGV, BUS, FPE, ILL, TRAP and ABRT, and passes them to the handlers that were set
  /// before.
  ///
  /// - Parameter program: the name at the start of the line, such as `downbeat`; at most 60 bytes
  ///   are used.
  /// - Note: Any thread.
  public static func arm(program: String) { unsafe clilv_arm(program) }

  /// The exit status of a process that a plug-in has ended by `exit`.
  package static var exitStatus: Int32 { Int32(clilv_exit_status) }

  /// Sets the function called before the process ends because a plug-in called `exit`; it runs on
  /// the thread that called `exit`.
  package static func beforeExit(_ function: @convention(c) () -> Void) {
    clilv_before_exit(function)
  }

  /// Stops intercepting `exit`, so that the program can end normally.
  package static func allowExit() { clilv_allow_exit() }

  /// Sets the descriptor of the file for reports; default standard error.
  package static func report(to descriptor: Int32) { clilv_report_to(descriptor) }

  /// Returns a sentence for each plug-in that is in the same call now and 0.25 s later.
  ///
  /// - Complexity: returns at once if no thread is in a plug-in.
  package static func hanging() -> [String] {
    let before = openCalls()
    guard !before.isEmpty else { return [] }
    usleep(250_000)
    return openCalls().filter { before[$0.key] != nil }.sorted { $0.key < $1.key }.map(\.value)
  }

  /// Returns the numbers of the unfinished calls that free a plug-in.
  package static func openTeardowns() -> Set<UInt> {
    var numbers: Set<UInt> = []
    let calls = unsafe calls()
    for index in unsafe calls.indices {
      let call = unsafe calls[index]
      let function = unsafe String(cString: call.function)
      if ["deactivate", "cleanup"].contains(function) { numbers.insert(unsafe call.number) }
    }
    return numbers
  }

  @unsafe
  private static func calls() -> [CLilvOpenCall] {
    let room = 128
    return unsafe [CLilvOpenCall](unsafeUninitializedCapacity: room) { calls, count in
      count = unsafe Int(clilv_open_calls(calls.baseAddress, Int32(room)))
    }
  }

  /// Returns a sentence for each unfinished call, by the call's number.
  private static func openCalls() -> [UInt: String] {
    let calls = unsafe calls()
    var sentences: [UInt: String] = [:]
    for index in unsafe calls.indices {
      let call = unsafe calls[index]
      // The texts are never freed.
      let (uri, function) = unsafe (String(cString: call.uri), String(cString: call.function))
      unsafe sentences[call.number] =
        "\(uri): this plug-in hangs in \(function) (do not use it, or install another version)"
    }
    return sentences
  }
}
