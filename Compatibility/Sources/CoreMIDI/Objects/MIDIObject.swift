// SPDX-License-Identifier: Apache-2.0
internal import CCoreAudio
internal import CoreAudioHandles
internal import Synchronization

/// An object with a reference number: a client, port, device, entity, endpoint or thru connection.
class MIDIObject: @unchecked Sendable {
  // Unchecked because it has subclasses; locks protect everything that changes.

  let kind: MIDIObjectType
  /// The object that supplies properties which this object does not have.
  let owner: MIDIObject?
  let properties: Mutex<ObjectProperties>
  private let handle = Mutex<Handle?>(nil)

  init(_ kind: MIDIObjectType, owner: MIDIObject? = nil, properties: ObjectProperties) {
    (self.kind, self.owner) = (kind, owner)
    self.properties = Mutex(properties)
  }

  /// The reference number; 0 before `enroll`.
  var number: MIDIObjectRef { handle.withLock { $0?.number ?? 0 } }

  /// Adds the object to the table of handles; returns false if the table is full.
  @discardableResult
  func enroll() -> Bool {
    let given = HandleTable.shared.add(self)
    handle.withLock { $0 = given }
    return given != nil
  }

  /// Removes the object from the table of handles.
  func dismiss() {
    if let given = handle.withLock({ $0 }) { HandleTable.shared.remove(given) }
  }

  /// The object with a reference number, or nil if it does not exist or has another type.
  static func find(_ number: MIDIObjectRef) -> Self? {
    HandleTable.shared.object(numbered: number, as: MIDIObject.self) as? Self
  }

  var name: String { properties.withLock { $0.string("name") ?? "" } }

  /// A property of the object, or of its owner.
  func property(_ key: String) -> PropertyValue? {
    properties.withLock { $0[key] } ?? owner?.property(key)
  }

  /// The name for users, preceded by the name of the device.
  var displayName: String {
    guard let device = (owner?.owner ?? owner)?.name else { return name }
    let own = name
    return own.hasPrefix(device) ? own : "\(device) \(own)"
  }
}
