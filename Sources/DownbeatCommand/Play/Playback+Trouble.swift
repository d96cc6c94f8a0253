// SPDX-License-Identifier: Apache-2.0
internal import CommandKit
internal import Downbeat
internal import MusicalTime
internal import PortTools
internal import Realtime

extension Playback {
  /// Reports the real-time features that the system refused, and events that are skipped.
  ///
  /// - Parameter isQuiet: True to print nothing.
  /// - Returns: The report on skipped time. Call its `tellRest()` at the end for what it has not
  ///   reported.
  @discardableResult
  func reportTrouble(isQuiet: Bool) -> HoldUps {
    let holdUps = HoldUps(isQuiet: isQuiet)
    if let refusal = scheduling.refusal, !isQuiet { Terminal.report(refusal) }
    if let refusal = memoryRefusal, !isQuiet { Terminal.report("\(refusal)") }
    observe { event in
      guard case .late(let time) = event.kind else { return }
      holdUps.add(nanoseconds: time.nanosecondsRoundedUp)
    }
    return holdUps
  }
}
