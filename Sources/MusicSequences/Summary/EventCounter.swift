// SPDX-License-Identifier: Apache-2.0
import MIDIMessages

/// Counts events as they are stored in a file.
struct EventCounter {
  private(set) var channelEvents = 0
  private(set) var metaEvents = 0
  private(set) var sysExEvents = 0
  private(set) var noteOns = 0
  private(set) var noteOnsOfVelocityZero = 0
  private(set) var tempoEvents = 0
  private(set) var timeSignatureEvents = 0
  private(set) var hasBankSelect = false
  /// For each track, the channels with notes: bit n is channel index n.
  private(set) var trackMasks: [UInt16] = []
  private var mask: UInt16 = 0
  /// Sixteen elements for each port; as many ports as any sequence has.
  private var uses = [Use](repeating: Use(), count: 16)
  /// The first of the sixteen elements of the current port.
  private var first = 0

  private struct Use {
    var isUsed = false
    var notes = 0
    var lowest: UInt8 = 127
    var highest: UInt8 = 0
    /// One bit for each program.
    var programs: (low: UInt64, high: UInt64) = (0, 0)
  }

  mutating func count(_ sequence: MusicSequence, _ ports: TrackPorts) {
    let missing = max(0, 16 * ports.count - uses.count)
    uses += [Use](repeating: Use(), count: missing)
    for (index, track) in sequence.tracks.enumerated() {
      mask = 0
      defer { trackMasks.append(mask) }
      count(track, as: index, ports)
      if !track.lacksEndOfTrack { metaEvents += 1 }
    }
    for record in sequence.tempoTrack.records {
      metaEvents += 1
      if record.data1 == 0x51 { tempoEvents += 1 }
      if record.data1 == 0x58 { timeSignatureEvents += 1 }
    }
  }

  private mutating func count(_ track: MusicTrack, as number: Int, _ ports: TrackPorts) {
    let changes = ports.ports(of: number).count > 1
    first = 16 * ports.port(of: number, at: 0)
    var index = 0
    for chunk in track.records.chunks {
      for record in chunk {
        if changes { first = 16 * ports.port(of: number, at: index) }
        count(record)
        index += 1
      }
    }
  }

  private mutating func count(_ record: EventRecord) {
    switch record.status {
    case 0x90...0x9F: countNote(record)
    case 0x80...0xEF: countMessage(record)
    case EventRecord.sysEx, EventRecord.packet: sysExEvents += 1
    default: metaEvents += 1
    }
  }

  private mutating func countNote(_ record: EventRecord) {
    channelEvents += record.has(EventRecord.unreleased) ? 1 : 2
    noteOns += 1
    if record.has(EventRecord.releasedByNoteOn) { noteOnsOfVelocityZero += 1 }
    let channel = first + Int(record.status & 0x0F)
    mask |= 1 << UInt16(channel & 15)
    uses[channel].isUsed = true
    uses[channel].notes += 1
    uses[channel].lowest = min(uses[channel].lowest, record.data1)
    uses[channel].highest = max(uses[channel].highest, record.data1)
  }

  private mutating func countMessage(_ record: EventRecord) {
    channelEvents += 1
    let channel = first + Int(record.status & 0x0F)
    uses[channel].isUsed = true
    switch record.status & 0xF0 {
    case 0x80 where record.has(EventRecord.releasedByNoteOn): noteOnsOfVelocityZero += 1
    case 0xB0 where record.data1 & 0x5F == 0: hasBankSelect = true
    case 0xC0 where record.data1 < 64: uses[channel].programs.low |= 1 << UInt64(record.data1)
    case 0xC0: uses[channel].programs.high |= 1 << UInt64(record.data1 & 63)
    default: break
    }
  }

  /// The used channels, in order.
  var channels: [SequenceSummary.ChannelUse] {
    uses.indices.filter { uses[$0].isUsed }.map { index in
      let use = uses[index]
      let programs = (0..<128).filter { program in
        (program < 64 ? use.programs.low : use.programs.high) >> UInt64(program & 63) & 1 != 0
      }
      return SequenceSummary.ChannelUse(
        channel: Channel(index: UInt8(index & 15)), port: index >> 4, notes: use.notes,
        programs: programs.map(UInt8.init),
        keys: use.notes > 0 ? Key(use.lowest)...Key(use.highest) : nil)
    }
  }
}
