// SPDX-License-Identifier: Apache-2.0
internal import CCoreAudio
internal import Foundation
internal import Synchronization

/// A change that clients are told of.
enum Notice: Sendable {
  case added(MIDIObject)
  case removed(MIDIObject)
  case property(String, of: MIDIObject)
  case thruConnections

  private static let queue = DispatchQueue(label: "MIDI notifications")

  /// Tells every client that is there, one change after the other, on a queue for that alone.
  static func tell(_ notices: [Notice]) {
    guard !notices.isEmpty else { return }
    // Who comes later finds things as they are, and is told of none of it.
    let clients = MIDISetup.shared.with(\.clients)
    queue.async {
      let present = MIDISetup.shared.with(\.clients)
      for client in clients where present.contains(where: { $0 === client }) {
        guard let listener = client.listener else { continue }
        for notice in notices { notice.tell(listener) }
        tell(listener, MIDINotification(messageID: .msgSetupChanged, messageSize: 8))
      }
    }
  }

  /// What makes one list into another.
  static func compare(
    _ old: [MIDIObject], _ new: [MIDIObject], _ notices: inout [Notice]
  ) {
    notices += old.filter { object in !new.contains { $0 === object } }.map(Notice.removed)
    notices += new.filter { object in !old.contains { $0 === object } }.map(Notice.added)
  }

  private func tell(_ listener: NotificationListener) {
    switch self {
    case .added(let object): Self.tell(listener, Self.change(.msgObjectAdded, object))
    case .removed(let object): Self.tell(listener, Self.change(.msgObjectRemoved, object))
    case .property(let name, let object): Self.tell(listener, name, object)
    case .thruConnections:
      Self.tell(
        listener, MIDINotification(messageID: .msgThruConnectionsChanged, messageSize: 8))
    }
  }

  private static func change(
    _ message: MIDINotificationMessageID, _ object: MIDIObject
  ) -> MIDIObjectAddRemoveNotification {
    MIDIObjectAddRemoveNotification(
      messageID: message,
      messageSize: UInt32(MemoryLayout<MIDIObjectAddRemoveNotification>.size),
      parent: object.owner?.number ?? 0, parentType: object.owner?.kind ?? .other,
      child: object.number, childType: object.kind)
  }

  private static func tell(
    _ listener: NotificationListener, _ name: String, _ object: MIDIObject
  ) {
    let string = NSString(string: name)
    withExtendedLifetime(string) {
      unsafe tell(
        listener,
        MIDIObjectPropertyChangeNotification(
          messageID: .msgPropertyChanged,
          messageSize: UInt32(MemoryLayout<MIDIObjectPropertyChangeNotification>.size),
          object: object.number, objectType: object.kind,
          propertyName: Unmanaged.passUnretained(string)))
    }
  }

  /// Hands a message over; every one begins as `MIDINotification` does.
  private static func tell<Message>(_ listener: NotificationListener, _ message: Message) {
    var message = message
    unsafe withUnsafeBytes(of: &message) { bytes in
      guard let base = bytes.baseAddress else { return }
      unsafe listener.tell(base.assumingMemoryBound(to: MIDINotification.self))
    }
  }
}
