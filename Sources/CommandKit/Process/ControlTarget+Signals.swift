// SPDX-License-Identifier: Apache-2.0
package import PlayerControl

extension ControlTarget {
  /// Performs the commands of signals and other programs; returns true if there were any.
  package func follow(_ signals: SignalWatch, _ server: ControlServer?) -> Bool {
    let wishes = signals.takeCommands()
    wishes.forEach(act)
    let isLed = server?.update(self) ?? false
    return isLed || !wishes.isEmpty
  }
}
