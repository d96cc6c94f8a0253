// SPDX-License-Identifier: Apache-2.0
internal import Downbeat
internal import Realtime

extension Playback {
  /// Tells what the system refused and the playback does without, and what it has to leave out.
  func reportTrouble() {
    if let refusal = scheduling.refusal { Terminal.report(refusal) }
    if let refusal = memoryRefusal { Terminal.report("\(refusal)") }
    observe { event in
      guard case .late(let nanoseconds) = event.kind else { return }
      Terminal.report("held up: \(nanoseconds / 1_000_000) ms of the song were left out")
    }
  }
}
