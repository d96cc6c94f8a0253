// SPDX-License-Identifier: Apache-2.0
internal import CommandKit
internal import CommandOptions
internal import JACKAudio
internal import Realtime

extension SignalWait {
  /// How often is looked for a server, in nanoseconds.
  private static let lookPeriod: Int64 = 200_000_000

  /// Waits until the sound servers run that devices, ports and masters are of by their names.
  ///
  /// A signal ends the process. None is started.
  ///
  /// - Parameter names: as options take them: `jack`, `jack:organ`, `pipewire`; others are waited for
  ///   by nobody here.
  package func untilServersRun(for names: [String]) {
    for name in names {
      guard let wish = AudioWish(argument: name), case .jack(let server, _) = wish else { continue }
      var isTold = false
      while !(server?.isRunning ?? !JACKServer.running.isEmpty) {
        if !isTold { Terminal.report("\(name): no server runs; waiting for one") }
        isTold = true
        if case .signal(let number) = until(DeadlineWait.now + Self.lookPeriod) {
          SignalWatch.die(by: number)
        }
      }
    }
  }
}
