// SPDX-License-Identifier: Apache-2.0
internal import CommandKit
internal import Downbeat
internal import MusicalTime
internal import PortTools
internal import Realtime

extension Playback {
  /// Tells what the system refused and the playback does without, and what it has to leave out.
  ///
  /// - Parameter isQuiet: whether no person is told.
  /// - Returns: what was left out; it tells the rest of it when it is asked to.
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
