// SPDX-License-Identifier: Apache-2.0
package import CommandKit
internal import CommandOptions
internal import JACKAudio
internal import Realtime

extension RunLoop {
  /// The period at which servers are looked for, in nanoseconds.
  private static let lookPeriod: Int64 = 200_000_000

  /// Waits until the sound servers run that own the named devices, ports and masters.
  ///
  /// It starts no server. A signal ends the process.
  ///
  /// - Parameter names: names as options take them: `jack`, `jack:organ`, `pipewire`; others do not
  ///   need a server.
  package func waitForServers(for names: [String]) {
    for name in names {
      guard let wish = AudioChoice(argument: name), case .jack(let server, _) = wish else {
        continue
      }
      var isTold = false
      while !(server?.isRunning ?? !JACKServer.running.isEmpty) {
        if !isTold { Terminal.report("\(name): no sound server is running; waiting for one") }
        isTold = true
        if case .signal(let number) = wait(until: DeadlineWait.now + Self.lookPeriod) {
          SignalWatch.die(by: number)
        }
      }
    }
  }
}
