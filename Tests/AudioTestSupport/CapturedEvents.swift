// SPDX-License-Identifier: Apache-2.0
package import AudioProcessing
import MusicalTime
import Synchronization

/// Collects the events of a capture.
package final class CapturedEvents: Sendable {
  private let events = Mutex<[CaptureQueue.Event]>([])

  package init() {}

  package func listen(to capture: CaptureQueue) {
    capture.observe { [weak self] event in self?.events.withLock { $0.append(event) } }
  }

  package var sounds: [CapturedSound] {
    events.withLock { events in
      events.compactMap { event in
        guard case .sound(let sound) = event else { return nil }
        return sound
      }
    }
  }

  /// The events except sounds.
  package var others: [CaptureQueue.Event] {
    events.withLock { events in
      events.filter { event in
        if case .sound = event { false } else { true }
      }
    }
  }
}

extension CapturedSound {
  /// True if the sound equals a `SignalUnit`'s count at its frames.
  package var isTrue: Bool {
    (0..<frameCount).allSatisfy { frame in
      let value = SignalUnit.value(.count, start.frames + Int64(frame))
      return samples[2 * frame] == value && samples[2 * frame + 1] == -value
    }
  }
}

extension PlanListener {
  /// Renders a source and captures it.
  package convenience init(capture: CaptureQueue, of source: any ProcessingUnit) throws {
    var graph = AudioGraph()
    let node = graph.add(source)
    try graph.connect(node, to: graph.add(capture))
    try graph.setHead(node)
    self.init(try graph.compile())
  }
}
