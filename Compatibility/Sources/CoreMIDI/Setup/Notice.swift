// SPDX-License-Identifier: Apache-2.0
internal import CCoreAudio
internal import Foundation
internal import Synchronization

/// A change of which clients are notified.
enum Notice: Sendable {
  case added(MIDIObject)
  case removed(MIDIObject)
  case property(String, of: MIDIObject)
  case thruConnections

  private static let queue = DispatchQueue(label: "MIDI notifications")

  /// Sends notifications to all existing clients, one after another, on a separate queue.
  static func tell(_ notices: [Notice]) {
    guard !notices.isEmpty else { return }
    // A client that is created later sees the new state, and is not notified.
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

  /// Appends the additions and removals that turn `old` into `new`.
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

  /// Sends a message; every message begins like `MIDINotification`.
  private static func tell<Message>(_ listener: NotificationListener, _ message: Message) {
    var message = message
    unsafe withUnsafeBytes(of: &message) { bytes in
      guard let base = bytes.baseAddress else { return }
      unsafe listener.tell(base.assumingMemoryBound(to: MIDINotification.self))
    }
  }
}
