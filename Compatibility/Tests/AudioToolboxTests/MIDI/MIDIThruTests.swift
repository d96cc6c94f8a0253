// SPDX-License-Identifier: Apache-2.0
import CoreMIDI
import Foundation
import Testing

/// Thru connections between endpoints of one process.
@Suite struct MIDIThruTests {
  /// Sends messages through a connection and returns the result.
  static func through(
    _ sent: [[UInt8]], count: Int, controls: [MIDIControlTransform] = [],
    maps: [MIDIValueMap] = [], _ change: (inout MIDIThruConnectionParams) -> Void
  ) async -> [[UInt8]] {
    let studio = MIDIStudio("thru")
    var params = MIDIThruConnectionParams()
    MIDIThruConnectionParamsInitialize(&params)
    params.numSources = 1
    params.sources.0.endpointRef = studio.source
    params.numDestinations = 1
    params.destinations.0.endpointRef = studio.destination
    params.numControlTransforms = UInt16(controls.count)
    params.numMaps = UInt16(maps.count)
    change(&params)
    var data = withUnsafeBytes(of: params) { Data($0) }
    for control in controls { withUnsafeBytes(of: control) { data.append(contentsOf: $0) } }
    for map in maps { withUnsafeBytes(of: map) { data.append(contentsOf: $0) } }
    var connection: MIDIThruConnectionRef = 0
    #expect(MIDIThruConnectionCreate(nil, data as CFData, &connection) == 0)
    // Each message has a different time, because messages with the same time may share a packet.
    for (index, bytes) in sent.enumerated() { studio.emit([(UInt64(index + 1), bytes)]) }
    _ = await studio.arrived.wait(for: count)
    try? await Task.sleep(for: .milliseconds(20))
    #expect(MIDIThruConnectionDispose(connection) == 0)
    #expect(MIDIThruConnectionDispose(connection) == kMIDIObjectNotFound)
    return studio.arrived.bytes
  }

  @Test func `Without a change all messages pass`() async {
    let sent: [[UInt8]] = [
      [0x90, 0, 1], [0x80, 0, 0], [0x9F, 127, 127], [0xB3, 7, 5], [0xF8], [0xF0, 1, 2, 0xF7],
    ]
    #expect(await Self.through(sent, count: 6) { _ in } == sent)
  }

  @Test func `Channels are mapped, and FF removes a channel`() async {
    let got = await Self.through([[0x90, 60, 1], [0x91, 60, 1]], count: 1) {
      $0.channelMap.0 = 0xFF
      $0.channelMap.1 = 4
    }
    #expect(got == [[0x94, 60, 1]])
  }

  @Test func `Velocities are filtered by a range, notes also by the outside of one`() async {
    let notes: [[UInt8]] = [[0x90, 50, 10], [0x90, 60, 64], [0x90, 70, 120]]
    let loud = await Self.through(notes, count: 1) {
      ($0.lowVelocity, $0.highVelocity) = (20, 100)
    }
    #expect(loud == [notes[1]])
    let outside = await Self.through(notes, count: 2) { ($0.lowNote, $0.highNote) = (65, 55) }
    #expect(outside == [notes[0], notes[2]])
  }

  @Test func `A parameter of 1280 adds 10 to a 7-bit controller`() async {
    let control = MIDIControlTransform(
      controlType: .controlType7Bit, remappedControlType: .controlType7Bit, controlNumber: 7,
      transform: .add, param: 1280)
    let got = await Self.through(
      [[0xB0, 7, 50], [0xB0, 8, 50]], count: 2, controls: [control]
    ) { _ in }
    #expect(got == [[0xB0, 7, 60], [0xB0, 8, 50]])
  }

  @Test func `Values are added, scaled, limited and looked up in a map`() async {
    var map = MIDIValueMap()
    withUnsafeMutableBytes(of: &map) { for place in $0.indices { $0[place] = 127 - UInt8(place) } }
    let got = await Self.through(
      [[0x90, 60, 100], [0xD0, 10], [0xC0, 3]], count: 3, maps: [map]
    ) {
      $0.noteNumber = MIDITransform(transform: .add, param: 2)
      $0.velocity = MIDITransform(transform: .scale, param: 2048)
      $0.channelPressure = MIDITransform(transform: .minValue, param: 40)
      $0.programChange = MIDITransform(transform: .mapValue, param: 0)
    }
    #expect(got == [[0x90, 62, 50], [0xD0, 40], [0xC0, 124]])
  }

  @Test func `Kinds of messages are filtered out`() async {
    let sent: [[UInt8]] = [
      [0xF8], [0xF1, 0], [0xF6], [0xB0, 1, 1], [0xF0, 1, 0xF7], [0x90, 1, 1],
    ]
    let got = await Self.through(sent, count: 1) {
      ($0.filterOutSysEx, $0.filterOutMTC, $0.filterOutBeatClock) = (1, 1, 1)
      ($0.filterOutTuneRequest, $0.filterOutAllControls) = (1, 1)
    }
    #expect(got == [[0x90, 1, 1]])
  }

  @Test func `A connection is found by its owner, and its parameters can be changed`() throws {
    var params = MIDIThruConnectionParams()
    MIDIThruConnectionParamsInitialize(&params)
    let data = withUnsafeBytes(of: params) { Data($0) }
    var connection: MIDIThruConnectionRef = 0
    #expect(MIDIThruConnectionCreate("owner" as CFString, data as CFData, &connection) == 0)
    var found = Unmanaged.passUnretained(NSData())
    #expect(MIDIThruConnectionFind("owner" as CFString, &found) == 0)
    #expect(
      Data(referencing: found.takeRetainedValue()) == withUnsafeBytes(of: connection) { Data($0) })
    params.lowNote = 5
    let changed = withUnsafeBytes(of: params) { Data($0) }
    #expect(MIDIThruConnectionSetParams(connection, changed as CFData) == 0)
    #expect(MIDIThruConnectionGetParams(connection, &found) == 0)
    #expect(Data(referencing: found.takeRetainedValue()) == changed)
    #expect(MIDIThruConnectionSetParams(connection, Data([1, 2]) as CFData) == -50)
    #expect(MIDIThruConnectionCreate(nil, Data() as CFData, &connection) == -50)
    #expect(connection == 0)
  }
}
