// SPDX-License-Identifier: Apache-2.0
package import PlayerControl

extension ControlTarget {
  /// Does what signals and other programs ask for; true where that was anything.
  package func follow(_ signals: SignalWatch, _ server: ControlServer?) -> Bool {
    let wishes = signals.takeWishes()
    wishes.forEach(act)
    let isLed = server?.update(self) ?? false
    return isLed || !wishes.isEmpty
  }
}
