// SPDX-License-Identifier: Apache-2.0
internal import AudioProcessing
internal import AudioToolbox
internal import MusicalTime
internal import Synchronization

/// The players that advance with the quanta of an engine that the program renders offline.
///
/// - Note: Any thread; one thread at a time renders.
final class EngineSlices: Sendable {
  private struct State {
    var listeners: [any SliceListener] = []
    var start = ReferenceTime.zero
  }

  private let state = Mutex(State())

  func add(_ listener: any SliceListener) {
    state.withLock { state in
      if !state.listeners.contains(where: { $0 === listener }) { state.listeners.append(listener) }
    }
  }

  func remove(_ listener: any SliceListener) {
    state.withLock { $0.listeners.removeAll { $0 === listener } }
  }

  /// The start of the quantum that is rendered next, counted from frame 0 of the engine.
  var start: ReferenceTime { state.withLock(\.start) }

  /// Lets the players send the events of a quantum, before it is rendered.
  func begin(at start: ReferenceTime) {
    let listeners = state.withLock { state in
      state.start = start
      return state.listeners
    }
    // Without the lock, because a player's callbacks may stop it.
    for listener in listeners { listener.prepare(AudioFormat.quantum) }
  }
}
