// SPDX-License-Identifier: Apache-2.0
internal import ALSAMIDI
internal import CCoreAudio
internal import Synchronization

/// A client: the objects that it has created, its listener, and its client in ALSA's sequencer.
final class ClientObject: MIDIObject, @unchecked Sendable {
  // Unchecked, as its superclass.

  /// Its client in the kernel's sequencer, or nil without a sequencer.
  let alsa: ALSAClient?
  let listener: NotificationListener?
  private let belongings = Mutex<[MIDIObject]>([])

  init(name: String, alsa: ALSAClient?, listener: NotificationListener?) {
    (self.alsa, self.listener) = (alsa, listener)
    super.init(.other, properties: ObjectProperties(name: name))
  }

  /// Adds an object that the client has created.
  func keep(_ object: MIDIObject) {
    belongings.withLock { $0.append(object) }
  }

  /// Removes an object that the client has created.
  func forget(_ object: MIDIObject) {
    belongings.withLock { $0.removeAll { $0 === object } }
  }

  /// Removes all objects that the client has created, and returns them.
  func takeBelongings() -> [MIDIObject] {
    belongings.withLock { all in
      defer { all = [] }
      return all
    }
  }
}
