// SPDX-License-Identifier: Apache-2.0
import AudioToolbox
import CoreMIDI
import Foundation

/// Tells of what comes and goes.
enum Watcher {
  static func run() -> Never {
    var client: MIDIClientRef = 0
    MIDIClientCreateWithBlock("watch" as CFString, &client) { message in
      let id = message.pointee.messageID
      guard id == .msgObjectAdded || id == .msgObjectRemoved else { return }
      message.withMemoryRebound(to: MIDIObjectAddRemoveNotification.self, capacity: 1) { change in
        let child = change.pointee.child
        CoreMIDIProbe.say(
          id == .msgObjectAdded ? "added" : "removed", kinds[change.pointee.childType] ?? "other",
          Directory.string(child, kMIDIPropertyName), child,
          Directory.number(child, kMIDIPropertyUniqueID),
          Directory.number(child, kMIDIPropertyOffline))
      }
    }
    CoreMIDIProbe.say("ready \(MIDIGetNumberOfDestinations())")
    while true { CoreMIDIProbe.sleep(1) }
  }

  private static let kinds: [MIDIObjectType: String] = [
    .source: "source", .destination: "destination", .device: "device",
  ]
}
