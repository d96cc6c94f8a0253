// SPDX-License-Identifier: Apache-2.0
package import MusicalTime

extension Division {
  /// The division in words, such as `480 ticks per quarter note`.
  package var words: String {
    switch self {
    case .ppqn(let resolution): "\(resolution.ticks) ticks per quarter note"
    case .smpte(let rate, let ticks):
      "\(ticks) ticks per frame, \(rate.framesPerSecond.decimal(rate.isSlowed ? 3 : 0)) frames a second"
    }
  }
}
