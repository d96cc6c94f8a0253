// SPDX-License-Identifier: Apache-2.0
import CoreMIDI
import Foundation
import Synchronization
import TestSupport
import Testing

/// Names, unique IDs, properties and notifications.
@Suite struct MIDISetupTests {
  static func string(_ object: MIDIObjectRef, _ key: CFString) -> String? {
    var string: Unmanaged<CFString>?
    guard MIDIObjectGetStringProperty(object, key, &string) == 0 else { return nil }
    return string.map { "\($0.takeRetainedValue())" }
  }

  static var sources: [MIDIEndpointRef] { (0..<MIDIGetNumberOfSources()).map(MIDIGetSource) }
  static var destinations: [MIDIEndpointRef] {
    (0..<MIDIGetNumberOfDestinations()).map(MIDIGetDestination)
  }

  @Test func `Endpoints of this process are listed until they are disposed of or private`() {
    let studio = MIDIStudio("lists")
    #expect(Self.sources.contains(studio.source))
    #expect(Self.destinations.contains(studio.destination))
    #expect(!Self.sources.contains(studio.destination))
    #expect(Self.string(studio.source, kMIDIPropertyName) == "lists source")
    #expect(Self.string(studio.source, kMIDIPropertyDisplayName) == "lists source")
    MIDIObjectSetIntegerProperty(studio.source, kMIDIPropertyPrivate, 1)
    #expect(!Self.sources.contains(studio.source))
    MIDIEndpointDispose(studio.destination)
    #expect(!Self.destinations.contains(studio.destination))
    #expect(MIDIGetSource(-1) == 0)
    #expect(MIDIGetDestination(1_000_000) == 0)
    #expect(MIDIGetDevice(-1) == 0)
    var entity: MIDIEntityRef = 5
    #expect(MIDIEndpointGetEntity(studio.source, &entity) == kMIDIObjectNotFound)
    #expect(entity == 0)
  }

  @Test func `A unique ID finds its object, and other objects cannot have it`() {
    let studio = MIDIStudio("numbers")
    var number: Int32 = 0
    #expect(MIDIObjectGetIntegerProperty(studio.source, kMIDIPropertyUniqueID, &number) == 0)
    #expect(number != 0)
    var found: MIDIObjectRef = 0
    var kind = MIDIObjectType.other
    #expect(MIDIObjectFindByUniqueID(number, &found, &kind) == 0)
    #expect(found == studio.source && kind == .source)
    let destination = studio.destination
    #expect(
      MIDIObjectSetIntegerProperty(destination, kMIDIPropertyUniqueID, number) == kMIDIIDNotUnique)
    #expect(MIDIObjectSetIntegerProperty(destination, kMIDIPropertyUniqueID, 0) == kMIDIIDNotUnique)
    #expect(MIDIObjectSetIntegerProperty(studio.source, kMIDIPropertyUniqueID, 4711) == 0)
    #expect(MIDIObjectFindByUniqueID(number, &found, &kind) == kMIDIObjectNotFound)
    #expect(found == 0)
    #expect(MIDIObjectFindByUniqueID(4711, &found, &kind) == 0)
    MIDIEndpointDispose(studio.source)
    #expect(MIDIObjectFindByUniqueID(4711, &found, nil) == kMIDIObjectNotFound)
  }

  @Test func `The same names have the same unique ID again`() {
    var numbers: [Int32] = []
    for _ in 0..<2 {
      let studio = MIDIStudio("again")
      var number: Int32 = 0
      MIDIObjectGetIntegerProperty(studio.source, kMIDIPropertyUniqueID, &number)
      numbers.append(number)
    }
    #expect(numbers[0] == numbers[1])
  }

  @Test func `Properties store values of every type, and their types are checked`() {
    let studio = MIDIStudio("kinds")
    let object = studio.source
    #expect(MIDIObjectSetIntegerProperty(object, "n" as CFString, -5) == 0)
    #expect(MIDIObjectSetStringProperty(object, "s" as CFString, "x" as CFString) == 0)
    #expect(MIDIObjectSetDataProperty(object, "d" as CFString, Data([1, 2]) as CFData) == 0)
    let names: NSDictionary = ["a": "b"]
    #expect(MIDIObjectSetDictionaryProperty(object, "m" as CFString, names) == 0)
    var number: Int32 = 0
    #expect(MIDIObjectGetIntegerProperty(object, "n" as CFString, &number) == 0)
    #expect(number == -5)
    #expect(Self.string(object, "s" as CFString) == "x")
    var data: Unmanaged<CFData>?
    #expect(MIDIObjectGetDataProperty(object, "d" as CFString, &data) == 0)
    #expect(data.map { Data(referencing: $0.takeRetainedValue()) } == Data([1, 2]))
    var dictionary: Unmanaged<CFDictionary>?
    #expect(MIDIObjectGetDictionaryProperty(object, "m" as CFString, &dictionary) == 0)
    #expect(dictionary?.takeRetainedValue() == names)
    #expect(
      MIDIObjectGetIntegerProperty(object, "s" as CFString, &number) == kMIDIWrongPropertyType)
    #expect(MIDIObjectGetIntegerProperty(object, "q" as CFString, &number) == kMIDIUnknownProperty)
    #expect(MIDIObjectGetIntegerProperty(99, "n" as CFString, &number) == kMIDIObjectNotFound)
    var all: Unmanaged<CFPropertyList>?
    #expect(MIDIObjectGetProperties(object, &all, true) == 0)
    let list = all?.takeRetainedValue() as? NSDictionary
    #expect(list?["n"] as? Int == -5)
    #expect(MIDIObjectRemoveProperty(object, "n" as CFString) == 0)
    #expect(MIDIObjectRemoveProperty(object, "n" as CFString) == kMIDIUnknownProperty)
    #expect(
      MIDIObjectSetStringProperty(object, kMIDIPropertyDisplayName, "x" as CFString)
        == kMIDINotPermitted)
    #expect(
      MIDIObjectSetStringProperty(object, kMIDIPropertyUniqueID, "x" as CFString)
        == kMIDIWrongPropertyType)
    #expect(MIDIObjectGetIntegerProperty(object, kMIDIPropertyMaxSysExSpeed, &number) == 0)
    #expect(number == 3125)
  }

  @Test func `Clients are notified of additions, changes and removals, without a run loop`() async {
    let news = Mutex<[(MIDINotificationMessageID, MIDIObjectRef)]>([])
    var client: MIDIClientRef = 0
    MIDIClientCreateWithBlock("listener" as CFString, &client) { message in
      let id = message.pointee.messageID
      message.withMemoryRebound(to: MIDIObjectAddRemoveNotification.self, capacity: 1) { change in
        let isChange = id == .msgObjectAdded || id == .msgObjectRemoved
        let child = isChange ? change.pointee.child : 0
        news.withLock { $0.append((id, child)) }
      }
    }
    var source: MIDIEndpointRef = 0
    MIDISourceCreate(client, "news" as CFString, &source)
    MIDIObjectSetStringProperty(source, kMIDIPropertyModel, "x" as CFString)
    MIDIEndpointDispose(source)
    func has(_ id: MIDINotificationMessageID, _ child: MIDIObjectRef) -> Bool {
      news.withLock { $0.contains { $0.0 == id && $0.1 == child } }
    }
    await wait { has(.msgObjectRemoved, source) && has(.msgSetupChanged, 0) }
    #expect(has(.msgObjectAdded, source))
    #expect(has(.msgPropertyChanged, 0))
    #expect(has(.msgObjectRemoved, source))
    #expect(has(.msgSetupChanged, 0))
    MIDIClientDispose(client)
  }
}
