// SPDX-License-Identifier: Apache-2.0
internal import CCoreAudio
internal import CoreAudioHandles
internal import Synchronization

/// Whatever has a number: a client, a port, a device, an entity, an endpoint, a thru connection.
class MIDIObject: @unchecked Sendable {
  // Unchecked, since it has subclasses: what changes lies behind locks.

  let kind: MIDIObjectType
  /// What lacking properties are taken from.
  let owner: MIDIObject?
  let properties: Mutex<ObjectProperties>
  private let handle = Mutex<Handle?>(nil)

  init(_ kind: MIDIObjectType, owner: MIDIObject? = nil, properties: ObjectProperties) {
    (self.kind, self.owner) = (kind, owner)
    self.properties = Mutex(properties)
  }

  /// The number, 0 before it is in the table.
  var number: MIDIObjectRef { handle.withLock { $0?.number ?? 0 } }

  /// Gives it a number; returns whether there was one to give.
  @discardableResult
  func enroll() -> Bool {
    let given = HandleTable.shared.add(self)
    handle.withLock { $0 = given }
    return given != nil
  }

  /// Takes the number away.
  func dismiss() {
    if let given = handle.withLock({ $0 }) { HandleTable.shared.remove(given) }
  }

  /// The object of a number; nil where there is none, or one of another kind.
  static func find(_ number: MIDIObjectRef) -> Self? {
    HandleTable.shared.object(numbered: number, as: MIDIObject.self) as? Self
  }

  var name: String { properties.withLock { $0.string("name") ?? "" } }

  /// A property of its own, or of who it belongs to.
  func property(_ key: String) -> PropertyValue? {
    properties.withLock { $0[key] } ?? owner?.property(key)
  }

  /// The name as a person reads it among those of other devices.
  var displayName: String {
    guard let device = (owner?.owner ?? owner)?.name else { return name }
    let own = name
    return own.hasPrefix(device) ? own : "\(device) \(own)"
  }
}
