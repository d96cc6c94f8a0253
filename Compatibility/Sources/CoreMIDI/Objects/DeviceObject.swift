// SPDX-License-Identifier: Apache-2.0
internal import Synchronization

/// A device of the kernel, such as the MIDI ports of a sound card.
final class DeviceObject: MIDIObject, @unchecked Sendable {
  // Unchecked, as its superclass.
  let entities = Mutex<[EntityObject]>([])
}

/// A port of a device, with its endpoints.
final class EntityObject: MIDIObject, @unchecked Sendable {
  // Unchecked, as its superclass.
  let endpoints = Mutex<[EndpointObject]>([])

  func endpoints(source isSource: Bool) -> [EndpointObject] {
    endpoints.withLock { $0.filter { $0.isSource == isSource } }
  }
}
