// SPDX-License-Identifier: Apache-2.0
public import CCoreAudio
public import CoreAudioTypes
internal import Foundation
internal import Synchronization

/// Returns all properties of an object.
///
/// - Parameters:
///   - obj: the object.
///   - outProperties: receives a dictionary, which the caller releases.
///   - deep: true to include the properties of its entities and endpoints.
/// - Returns: 0; `kMIDIObjectNotFound`.
/// - Note: Any thread.
@discardableResult
public func MIDIObjectGetProperties(
  _ obj: MIDIObjectRef, _ outProperties: UnsafeMutablePointer<Unmanaged<CFPropertyList>?>,
  _ deep: Bool
) -> OSStatus {
  guard let object = MIDIObject.find(obj) else { return kMIDIObjectNotFound }
  unsafe outProperties.pointee = Unmanaged.passRetained(object.description(deep: deep))
  return noErr
}

extension MIDIObject {
  /// A property of the object, of its owner, or its default value.
  func value(of key: String) -> PropertyValue? {
    if let value = property(key) { return value }
    switch (key, self) {
    case ("max SysEx speed", is EndpointObject): return .integer(3125)
    case ("scheduleAheadMuSec", is EndpointObject), ("private", is EndpointObject):
      return .integer(0)
    case ("offline", let endpoint as EndpointObject):
      return .integer(endpoint.isAway ? 1 : 0)
    case ("protocol", is EndpointObject): return .integer(1)
    default: return nil
    }
  }

  /// The properties of the object and, if `deep`, of its entities and endpoints, as a property
  /// list.
  fileprivate func description(deep: Bool) -> NSObject {
    let all = NSMutableDictionary()
    for (key, value) in properties.withLock({ $0.values }) {
      all.setObject(value.object, forKey: NSString(string: key))
    }
    guard deep else { return all }
    func add(_ objects: [MIDIObject], as key: String) {
      let list = NSMutableArray()
      for object in objects { list.add(object.description(deep: true)) }
      all.setObject(list, forKey: NSString(string: key))
    }
    if let device = self as? DeviceObject { add(device.entities.withLock { $0 }, as: "entities") }
    if let entity = self as? EntityObject {
      add(entity.endpoints(source: true), as: "sources")
      add(entity.endpoints(source: false), as: "destinations")
    }
    return all
  }
}

extension EndpointObject {
  /// True if the endpoint is one of the sequencer and is not present now.
  fileprivate var isAway: Bool { client == nil && alsa.withLock { $0 == nil } }
}
