// SPDX-License-Identifier: Apache-2.0
import AudioToolbox
import CoreMIDI
import Foundation

/// A thru connection from the sequencer's through port.
enum Thru {
  static func run(to name: String) -> Never {
    var params = MIDIThruConnectionParams()
    MIDIThruConnectionParamsInitialize(&params)
    params.numSources = 1
    params.sources.0.endpointRef =
      Directory.wait(for: "Midi Through Port-0") { Directory.sources }
    params.numDestinations = 1
    params.destinations.0.endpointRef = Directory.wait(for: name) { Directory.destinations }
    params.channelMap.0 = 4
    params.channelMap.1 = 0xFF
    let data = withUnsafeBytes(of: params) { Data($0) }
    var connection: MIDIThruConnectionRef = 0
    CoreMIDIProbe.check(MIDIThruConnectionCreate(nil, data as CFData, &connection), "thru")
    CoreMIDIProbe.say("ready")
    while true { CoreMIDIProbe.sleep(1) }
  }
}
