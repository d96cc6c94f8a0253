// SPDX-License-Identifier: Apache-2.0
import AudioToolbox
import CoreMIDI
import Foundation

/// The endpoints that there are.
enum Directory {
  static var sources: [MIDIEndpointRef] { (0..<MIDIGetNumberOfSources()).map(MIDIGetSource) }
  static var destinations: [MIDIEndpointRef] {
    (0..<MIDIGetNumberOfDestinations()).map(MIDIGetDestination)
  }

  /// Waits until an endpoint of a name is there, as a person does who looks at a list.
  static func wait(for name: String, in list: () -> [MIDIEndpointRef]) -> MIDIEndpointRef {
    while true {
      if let found = list().first(where: { string($0, kMIDIPropertyName) == name }) { return found }
      CoreMIDIProbe.sleep(0.1)
    }
  }

  static func string(_ object: MIDIObjectRef, _ key: CFString) -> String {
    var string: Unmanaged<CFString>?
    guard MIDIObjectGetStringProperty(object, key, &string) == 0 else { return "-" }
    return string.map { "\($0.takeRetainedValue())" } ?? "-"
  }

  static func number(_ object: MIDIObjectRef, _ key: CFString) -> Int32 {
    var number: Int32 = 0
    return MIDIObjectGetIntegerProperty(object, key, &number) == 0 ? number : -1
  }

  static func tell() {
    for index in 0..<MIDIGetNumberOfDevices() {
      let device = MIDIGetDevice(index)
      let entities = (0..<MIDIDeviceGetNumberOfEntities(device)).map {
        let entity = MIDIDeviceGetEntity(device, $0)
        let counts =
          "\(MIDIEntityGetNumberOfSources(entity))/\(MIDIEntityGetNumberOfDestinations(entity))"
        return "\(string(entity, kMIDIPropertyName)) \(counts)"
      }
      CoreMIDIProbe.say(
        "device", string(device, kMIDIPropertyName), number(device, kMIDIPropertyOffline),
        entities.joined(separator: ", "))
    }
    for (kind, all) in [("source", sources), ("destination", destinations)] {
      for endpoint in all { tell(kind, endpoint) }
    }
  }

  private static func tell(_ kind: String, _ endpoint: MIDIEndpointRef) {
    let unique = number(endpoint, kMIDIPropertyUniqueID)
    var found: MIDIObjectRef = 0
    var type = MIDIObjectType.other
    MIDIObjectFindByUniqueID(unique, &found, &type)
    let place = MIDIEndpointGetEntity(endpoint, nil) == 0 ? "of a device" : "of a program"
    CoreMIDIProbe.say(
      kind, string(endpoint, kMIDIPropertyName), string(endpoint, kMIDIPropertyDisplayName), place,
      unique, found == endpoint ? "found" : "lost")
  }
}
