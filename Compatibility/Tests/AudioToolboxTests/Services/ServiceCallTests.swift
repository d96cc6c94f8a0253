// SPDX-License-Identifier: Apache-2.0
import AudioToolbox
import CoreMIDI
import Foundation
import TestSupport
import Testing

/// Calls in random order with random handles: valid, stale, nil and of other objects.
///
/// No call ends the program, and every result is a declared code.
@Suite struct ServiceCallTests {
  static let codes: Set<OSStatus> = Set(-10845 ... -10830).union(-10879 ... -10846)
    .union(-66816 ... -66805).union([0, -50, -108])

  static let values: [Double] = [0, 0.5, 1, 2, 120, -1, 1e9, .nan, .infinity, -0.0, 1e300]

  @Test func `MIDI functions accept any handles`() {
    var random = SplitMix(seed: 3)
    var handles: [MIDIObjectRef] = [0, .max]
    func any() -> MIDIObjectRef {
      Int.random(in: 0..<12, using: &random) == 0
        ? UInt32(truncatingIfNeeded: random.next()) : handles.randomElement(using: &random) ?? 0
    }
    for _ in 0..<20_000 {
      var made: MIDIObjectRef = 0
      var number: Int32 = 0
      let status: OSStatus
      switch Int.random(in: 0..<17, using: &random) {
      case 0: status = MIDIClientCreate("random" as CFString, nil, nil, &made)
      case 1: status = MIDIOutputPortCreate(any(), "o" as CFString, &made)
      case 2: status = MIDIInputPortCreateWithBlock(any(), "i" as CFString, &made) { _, _ in }
      case 3: status = MIDISourceCreate(any(), "s" as CFString, &made)
      case 4: status = MIDIDestinationCreateWithBlock(any(), "d" as CFString, &made) { _, _ in }
      case 5: status = MIDIPortConnectSource(any(), any(), nil)
      case 6: status = MIDIPortDisconnectSource(any(), any())
      case 7: status = MIDIStudio.with([(0, [0x90, 60, 1])]) { MIDISend(any(), any(), $0) }
      case 8: status = MIDIStudio.with([(0, [0x80, 60, 1])]) { MIDIReceived(any(), $0) }
      case 9:
        // 0 means all destinations, and would cancel packets of tests that run at the same time.
        let destination = any()
        status = destination == 0 ? 0 : MIDIFlushOutput(destination)
      case 10: status = MIDIObjectGetIntegerProperty(any(), kMIDIPropertyUniqueID, &number)
      case 11:
        number = Int32(truncatingIfNeeded: random.next()) & 15
        status = MIDIObjectSetIntegerProperty(any(), kMIDIPropertyUniqueID, number)
      case 12:
        status = MIDIObjectFindByUniqueID(Int32.random(in: -2...15, using: &random), &made, nil)
      case 13: status = MIDIEndpointDispose(any())
      case 14: status = MIDIPortDispose(any())
      case 15:
        status = Int.random(in: 0..<8, using: &random) == 0 ? MIDIClientDispose(any()) : 0
      default: status = MIDIEntityGetDevice(any(), &made)
      }
      #expect(Self.codes.contains(status))
      if made != 0 { handles.append(made) }
      if handles.count > 64 { handles.remove(at: Int.random(in: 2..<64, using: &random)) }
    }
    for handle in handles { MIDIClientDispose(handle) }
  }

  @Test func `Functions of graphs and units accept any handles`() {
    var random = SplitMix(seed: 4)
    var graphs: [OpaquePointer?] = [nil]
    var units: [OpaquePointer?] = [nil]
    let types = [kAudioUnitType_Mixer, kAudioUnitType_Output, kAudioUnitType_Effect, 0, 77]
    func any(_ own: [OpaquePointer?]) -> OpaquePointer? {
      switch Int.random(in: 0..<20, using: &random) {
      case 0: OpaquePointer(bitPattern: UInt(truncatingIfNeeded: random.next()))
      case 1: (graphs + units).randomElement(using: &random) ?? nil
      default: own.randomElement(using: &random) ?? nil
      }
    }
    for _ in 0..<20_000 {
      var made: OpaquePointer?
      var node = AUNode.random(in: 0..<6, using: &random)
      let other = AUNode.random(in: 0..<6, using: &random)
      let bus = UInt32.random(in: 0..<4, using: &random)
      let value = Float(Self.values.randomElement(using: &random) ?? 0)
      var word = UInt32.random(in: 0..<4096, using: &random)
      var size = UInt32.random(in: 0..<64, using: &random)
      var room = [UInt64](repeating: 0, count: 16)
      var answer: DarwinBoolean = false
      let status: OSStatus
      switch Int.random(in: 0..<20, using: &random) {
      case 0:
        status = NewAUGraph(&made)
        graphs.append(made)
      case 1...3:
        var wanted = AUGraphTests.description(types.randomElement(using: &random) ?? 0, 0)
        // Instruments would read a soundfont of many megabytes.
        if wanted.componentType == 0 { wanted.componentSubType = kAudioUnitSubType_GenericOutput }
        status = AUGraphAddNode(any(graphs), &wanted, &node)
      case 4: status = AUGraphRemoveNode(any(graphs), node)
      case 5, 6: status = AUGraphConnectNodeInput(any(graphs), node, bus & 1, other, bus)
      case 7: status = AUGraphDisconnectNodeInput(any(graphs), node, bus)
      case 8: status = AUGraphOpen(any(graphs))
      case 9: status = AUGraphInitialize(any(graphs))
      case 10: status = AUGraphUpdate(any(graphs), &answer)
      case 11: status = AUGraphClose(any(graphs))
      case 12:
        status = AUGraphNodeInfo(any(graphs), node, nil, &made)
        units.append(made)
      case 13: status = AUGraphTests.render(any(units), Int(word % 2000)).0
      case 14:
        status = AudioUnitSetParameter(any(units), bus, bus, node < 0 ? 0 : UInt32(node), value, 0)
      case 15: status = AudioUnitSetProperty(any(units), word % 30, bus & 3, bus, &room, size)
      case 16:
        size = min(size, 128)
        status = AudioUnitGetProperty(any(units), word % 30, bus & 3, bus, &room, &size)
      case 17: status = MusicDeviceMIDIEvent(any(units), word % 256, word, word, word)
      case 18: status = AUGraphGetNumberOfInteractions(any(graphs), &word)
      default:
        status = Int.random(in: 0..<6, using: &random) == 0 ? DisposeAUGraph(any(graphs)) : 0
      }
      #expect(Self.codes.contains(status), "\(status)")
      if graphs.count > 16 { DisposeAUGraph(graphs.remove(at: 1)) }
      if units.count > 32 { units.remove(at: 1) }
    }
    for graph in graphs { DisposeAUGraph(graph) }
  }

  @Test func `Clock functions accept any handles, times and properties`() {
    var random = SplitMix(seed: 5)
    var clocks: [OpaquePointer?] = [nil]
    for _ in 0..<2 {
      clocks.append(CoreAudioClockTests.clock())
    }
    let properties: [CAClockPropertyID] = [
      .internalTimebase, .timebaseSource, .syncMode, .syncSource, .smpteFormat, .smpteOffset,
      .midiClockDestinations, .mtcDestinations, .mtcFreewheelTime, .tempoMap, .meterTrack,
      .sendMIDISPP,
    ]
    let formats: [CAClockTimeFormat] = [
      .hostTime, .samples, .beats, .seconds, .smpteSeconds, .smpteTime, .absoluteSeconds,
    ]
    for _ in 0..<600 {
      let clock =
        Int.random(in: 0..<10, using: &random) == 0
        ? OpaquePointer(bitPattern: UInt(truncatingIfNeeded: random.next()))
        : clocks.randomElement(using: &random) ?? nil
      let value = Self.values.randomElement(using: &random) ?? 0
      let format = formats.randomElement(using: &random) ?? .beats
      var time = CAClockTime(format: format, reserved: 0, time: .init(seconds: value))
      var answer = CAClockTime()
      var label = SMPTETime()
      var place = CABarBeatTime()
      var number = 0.0
      let status: OSStatus
      switch Int.random(in: 0..<14, using: &random) {
      case 0: status = CAClockStart(clock)
      case 1: status = CAClockStop(clock)
      case 2: status = CAClockArm(clock)
      case 3: status = CAClockDisarm(clock)
      case 4: status = CAClockSetPlayRate(clock, value)
      case 5: status = CAClockSetCurrentTempo(clock, value, nil)
      case 6: status = CAClockSetCurrentTime(clock, &time)
      case 7: status = CAClockGetCurrentTime(clock, format, &answer)
      case 8:
        status = CAClockTranslateTime(
          clock, &time, formats.randomElement(using: &random) ?? .beats, &answer)
      case 9: status = CAClockSecondsToSMPTETime(clock, value, 3, &label)
      case 10: status = CAClockBeatsToBarBeatTime(clock, value, 480, &place)
      case 11: status = CAClockGetStartTime(clock, format, &answer)
      case 12: status = CAClockGetCurrentTempo(clock, &number, &answer)
      default:
        let property = properties.randomElement(using: &random) ?? .smpteOffset
        let words = (0..<Int.random(in: 0..<6, using: &random)).map { _ in
          Bool.random(using: &random) ? value.bitPattern : random.next() & 0xFFFF
        }
        status = CoreAudioClockTests.set(clock, property, words)
      }
      #expect(Self.codes.contains(status), "\(status)")
    }
    for clock in clocks { CAClockDispose(clock) }
  }
}
