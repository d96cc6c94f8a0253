// SPDX-License-Identifier: Apache-2.0
internal import ALSAMIDI

extension OutputPort {
  /// Waits until somebody has connected to the port; a signal ends the process.
  func waitForListener(_ wait: SignalWait) throws {
    let monitor = try EndpointMonitor()
    while true {
      if try client.connections().contains(where: { $0.source == address }) { return }
      if case .signal(let number) = wait.until(nil, readable: [monitor.descriptor]) {
        SignalWatch.die(by: number)
      }
      _ = try monitor.changes()
    }
  }
}
