// SPDX-License-Identifier: Apache-2.0
import ClockService
import Foundation
import MIDIMessages
import MusicSequences
import MusicalTime
import SequencePlayback
import TestSupport
import Testing

/// Compares the state after a seek with a model of an instrument that shares no code with the
/// chase.
@Suite struct SeekTests {
  @Test(.enabled(if: CorpusFolder.isThere, CorpusFolder.reason))
  func `seeking to every 97th event of ten songs gives the state of playing up to there`() throws {
    var songs = 0
    for file in try CorpusFolder.midiFiles(under: "") where songs < 10 {
      let bytes = try [UInt8](Data(contentsOf: file))
      guard bytes.count > 20_000, bytes.count < 120_000,
        let sequence = Self.sequence(bytes)
      else { continue }
      songs += 1
      try check(sequence, file.lastPathComponent)
    }
    #expect(songs == 10)
  }

  @Test(arguments: 1...6)
  func `seeking back and forth in a random song gives the state of playing up to there`(
    seed: UInt64
  ) throws {
    try check(try randomSequence(seed: seed, notes: 500), "seed \(seed)")
  }

  private static func sequence(_ bytes: [UInt8]) -> MusicSequence? {
    do {
      return try SMFReader().read(bytes).sequences.first
    } catch {
      return nil
    }
  }

  private func check(_ sequence: MusicSequence, _ name: String) throws {
    let played = states(of: sequence)
    let rig = try PlayerRig(sequence)
    var position: Int64 = 0
    for step in played.indices {
      // Forward, and every other time from the far end.
      let (tick, expected) = played[step % 2 == 0 ? step : played.count - 1 - step]
      rig.scheduler.look(at: ReferenceTime(nanoseconds: position))
      try rig.scheduler.locate(to: tick)
      // Nothing of the tick itself has been emitted yet.
      #expect(heard(by: rig.sink) == expected, "\(name) at \(tick.value)")
      position += 50_000_000
      try rig.step(at: position)
    }
  }

  private func heard(by sink: RecordingSink) -> ModelInstrument {
    var instrument = ModelInstrument()
    var sysExes = sink.sysExes.makeIterator()
    for event in sink.events {
      switch event.payload {
      case .message(let message): instrument.receive(message)
      case .sysEx: if let bytes = sysExes.next() { instrument.receive(sysEx: bytes) }
      default: break
      }
    }
    return instrument
  }

  /// The state before every 97th event's tick.
  private func states(of sequence: MusicSequence) -> [(tick: Tick, state: ModelInstrument)] {
    var cursor = SequenceCursor(sequence)
    var instrument = ModelInstrument()
    var ticks: [Tick] = []
    var count = 0
    while let event = cursor.next(before: Tick(.max)) {
      if count % 97 == 0 { ticks.append(event.tick) }
      count += 1
    }
    cursor = SequenceCursor(sequence)
    var found: [(tick: Tick, state: ModelInstrument)] = []
    for tick in ticks where tick != found.last?.tick {
      while let event = cursor.next(before: tick) {
        switch event.kind {
        case .message(let message): instrument.receive(message)
        case .sysEx(let range):
          instrument.receive(sysEx: sequence.tracks[Int(event.track)].payload(range))
        default: break
        }
      }
      found.append((tick, instrument))
    }
    return found
  }
}

/// The channels of an instrument as the standards describe them.
private struct ModelInstrument: Equatable {
  private var channels = [ModelChannel](repeating: ModelChannel(), count: 16)

  mutating func receive(_ message: Message) {
    guard let channel = message.channel else { return }
    channels[Int(channel.index)].receive(message)
  }

  mutating func receive(sysEx bytes: [UInt8]) {
    let isReset =
      bytes.count == 4 && bytes[0] == 0x7E && bytes[2] == 9 && (bytes[3] == 1 || bytes[3] == 3)
      || bytes == [0x41, 0x10, 0x42, 0x12, 0x40, 0x00, 0x7F, 0x00, 0x41]
      || bytes == [0x43, 0x10, 0x4C, 0x00, 0x00, 0x7E, 0x00]
    if isReset { channels = [ModelChannel](repeating: ModelChannel(), count: 16) }
  }
}

private struct ModelChannel: Equatable {
  private var controllers: [UInt8: UInt8] = [:]
  private var program: [UInt8] = [0, 0, 0]
  private var bend: [UInt8] = [0, 64]
  private var pressure: UInt8 = 0
  private var keyPressures: [UInt8: UInt8] = [:]
  private var selection: [UInt8] = [1, 127, 127]
  private var parameters: [[UInt8]: [UInt8]] = [:]

  private static func initial(_ number: UInt8) -> UInt8 {
    switch number {
    case 7: 100
    case 8, 10, 70...79: 64
    case 11: 127
    case 91: 40
    default: 0
    }
  }

  mutating func receive(_ message: Message) {
    switch message.status & 0xF0 {
    case 0xA0: keyPressures[message.data1] = message.data2 == 0 ? nil : message.data2
    case 0xB0: control(message.data1, message.data2)
    case 0xC0: program = [controllers[0] ?? 0, controllers[32] ?? 0, message.data1]
    case 0xD0: pressure = message.data1
    case 0xE0: bend = [message.data1, message.data2]
    default: break
    }
  }

  private mutating func set(_ number: UInt8, _ value: UInt8) {
    controllers[number] = value == Self.initial(number) ? nil : value
  }

  private mutating func control(_ number: UInt8, _ value: UInt8) {
    switch number {
    case 98: selection = [0, selection[0] == 0 ? selection[1] : 127, value]
    case 99: selection = [0, value, selection[0] == 0 ? selection[2] : 127]
    case 100: selection = [1, selection[0] == 1 ? selection[1] : 127, value]
    case 101: selection = [1, value, selection[0] == 1 ? selection[2] : 127]
    case 6, 38: enter(number, value)
    case 96, 97: break
    case 120, 123...127: break
    case 121: reset()
    default: set(number, value)
    }
    if selection[1] == 127, selection[2] == 127 { selection = [1, 127, 127] }
  }

  private mutating func enter(_ number: UInt8, _ value: UInt8) {
    guard selection[1] != 127 || selection[2] != 127 else { return }
    var values = parameters[selection] ?? Self.initialParameter(selection)
    values[number == 6 ? 0 : 1] = value
    parameters[selection] = values == Self.initialParameter(selection) ? nil : values
  }

  private static func initialParameter(_ parameter: [UInt8]) -> [UInt8] {
    switch parameter {
    case [1, 0, 0]: [2, 0]
    case [1, 0, 1], [1, 0, 2]: [64, 0]
    default: [0, 0]
    }
  }

  private mutating func reset() {
    let kept: Set<UInt8> = [0, 7, 10, 32, 91, 92, 93, 94, 95]
    controllers = controllers.filter { kept.contains($0.key) || (70...79).contains($0.key) }
    bend = [0, 64]
    pressure = 0
    keyPressures = [:]
    selection = [1, 127, 127]
  }
}
