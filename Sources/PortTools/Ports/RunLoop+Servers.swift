// SPDX-License-Identifier: Apache-2.0
package import CommandKit
internal import CommandOptions
internal import JACKAudio
internal import Realtime

extension RunLoop {
  /// The interval at which servers are checked, in nanoseconds.
  private static let lookPeriod: Int64 = 200_000_000

  /// Waits until the sound servers of the named devices, ports and masters run.
  ///
  /// It does not start a server. A signal ends the process.
  ///
  /// - Parameter names: The names in options, such as `jack`, `jack:organ` or `pipewire`; other
  ///   names do not need a server.
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
