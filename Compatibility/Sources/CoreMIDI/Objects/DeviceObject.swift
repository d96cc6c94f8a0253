// SPDX-License-Identifier: Apache-2.0
internal import Synchronization

/// A card's MIDI part, as the kernel has it.
final class DeviceObject: MIDIObject, @unchecked Sendable {
  // Unchecked as its superclass is.
  let entities = Mutex<[EntityObject]>([])
}

/// A port of a device, with its endpoints.
final class EntityObject: MIDIObject, @unchecked Sendable {
  // Unchecked as its superclass is.
  let endpoints = Mutex<[EndpointObject]>([])

  func endpoints(source isSource: Bool) -> [EndpointObject] {
    endpoints.withLock { $0.filter { $0.isSource == isSource } }
  }
}
