// SPDX-License-Identifier: Apache-2.0
internal import ALSAMIDI
internal import CCoreAudio
internal import Synchronization

/// A client: what it has made, whom it tells of changes, and its name in ALSA's sequencer.
final class ClientObject: MIDIObject, @unchecked Sendable {
  // Unchecked as its superclass is.

  /// Its client of the kernel's sequencer; nil where there is no sequencer.
  let alsa: ALSAClient?
  let listener: NotificationListener?
  private let belongings = Mutex<[MIDIObject]>([])

  init(name: String, alsa: ALSAClient?, listener: NotificationListener?) {
    (self.alsa, self.listener) = (alsa, listener)
    super.init(.other, properties: ObjectProperties(name: name))
  }

  /// Takes note of something that it made.
  func keep(_ object: MIDIObject) {
    belongings.withLock { $0.append(object) }
  }

  /// Forgets something that it made.
  func forget(_ object: MIDIObject) {
    belongings.withLock { $0.removeAll { $0 === object } }
  }

  /// All that it made, which it has no more.
  func takeBelongings() -> [MIDIObject] {
    belongings.withLock { all in
      defer { all = [] }
      return all
    }
  }
}
