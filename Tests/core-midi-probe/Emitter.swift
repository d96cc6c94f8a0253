// SPDX-License-Identifier: Apache-2.0
import AudioToolbox
import CoreMIDI
import Foundation

/// Sends from a source of its own.
struct Emitter {
  private var client: MIDIClientRef = 0
  private var source: MIDIEndpointRef = 0

  init() {
    MIDIClientCreate("emitter" as CFString, nil, nil, &client)
    MIDISourceCreate(client, "emitted" as CFString, &source)
  }

  func run() -> Never {
    for key in UInt8(30)... {
      let status = Sender.with([(mach_absolute_time(), [0x95, key % 128, 1])]) {
        MIDIReceived(source, $0)
      }
      CoreMIDIProbe.check(status, "received")
      CoreMIDIProbe.sleep(1)
    }
    exit(0)
  }
}
