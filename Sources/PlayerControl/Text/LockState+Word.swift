// SPDX-License-Identifier: Apache-2.0
package import ClockService

extension LockState {
  /// A word for the state.
  package var word: String {
    switch self {
    case .idle: "nothing received"
    case .acquiring: "locking"
    case .locked: "locked"
    case .freewheeling: "freewheeling"
    }
  }
}
