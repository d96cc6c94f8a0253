// SPDX-License-Identifier: Apache-2.0
internal import AudioProcessing
internal import AudioToolbox
internal import Synchronization

/// The players that advance with the quanta of an engine that the program renders offline.
///
/// - Note: Any thread; one thread at a time renders.
final class EngineSlices: Sendable {
  private let listeners = Mutex<[any SliceListener]>([])

  func add(_ listener: any SliceListener) {
    listeners.withLock { all in
      if !all.contains(where: { $0 === listener }) { all.append(listener) }
    }
  }

  func remove(_ listener: any SliceListener) {
    listeners.withLock { all in all.removeAll { $0 === listener } }
  }

  /// Lets the players send the events of a quantum, before it is rendered.
  func prepare() {
    // Without the lock, because a player's callbacks may stop it.
    for listener in listeners.withLock(\.self) { listener.prepare(AudioFormat.quantum) }
  }
}
