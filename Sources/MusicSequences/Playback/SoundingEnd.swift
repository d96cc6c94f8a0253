// SPDX-License-Identifier: Apache-2.0
public import MusicalTime

extension MusicSequence {
  /// The tick at which the last note is released and pedals no longer hold it; at most `length`.
  ///
  /// Tempo changes, texts and a late end of track after that tick do not extend it. A pedal that is
  /// never released is treated as released at the end of its track. SysEx messages, user events and
  /// parameter changes extend it to their ticks, because they are sent to devices and units. For a
  /// sequence without notes, or with a track that loops, the value is `length`.
  ///
  /// - Complexity: O(n).
  public var soundingLength: Tick { lengths(TrackPorts(self)).sounding }

  /// Both `length` and `soundingLength`, computed in one pass.
  ///
  /// - Parameter ports: The ports of the sequence.
  /// - Returns: Both lengths in ticks.
  /// - Complexity: O(n).
  package func lengths(_ ports: TrackPorts) -> (whole: Tick, sounding: Tick) {
    guard !hasLoopingTracks else { return (length, length) }
    var whole = tempoTrack.length
    var channels = Array(repeating: ChannelEnd(), count: 16 * ports.groupCount)
    var last: Int64?
    for (index, track) in tracks.enumerated() {
      whole = max(whole, track.look(for: &channels, as: index, of: ports, &last))
    }
    guard let end = channels.lazy.compactMap(\.end).max() else { return (whole, whole) }
    return (whole, min(whole, Tick(max(0, end, last ?? 0))))
  }

  /// True if at least one track has a loop in its settings.
  public var hasLoopingTracks: Bool {
    tracks.contains { $0.settings.loop.map { $0.length > 0 && $0.count != 1 } ?? false }
  }
}

extension MusicTrack {
  /// Records the last notes and the pedals of the channels.
  ///
  /// - Returns: The length of the track.
  fileprivate func look(
    for channels: inout [ChannelEnd], as track: Int, of ports: TrackPorts, _ last: inout Int64?
  ) -> Tick {
    let offset = settings.boundedOffset
    var (index, latest) = (0, explicitLength.map { UInt64($0.value) } ?? 0)
    for chunk in records.chunks {
      for record in chunk {
        let tick = Int64(record.tick) + offset
        let channel = 16 * ports.group(of: track, at: index) + Int(record.status & 0x0F)
        latest = max(latest, record.endTick)
        index += 1
        switch record.status {
        case 0x90...0x9F: channels[channel].add(note: tick..<Int64(record.endTick) + offset)
        case 0xB0...0xBF: channels[channel].add(controller: record.data1, record.data2, tick)
        case EventRecord.sysEx, EventRecord.packet, EventRecord.user, EventRecord.parameter:
          last = max(last ?? tick, tick)
        default: break
        }
      }
    }
    let end = Int64(min(latest, EventRecord.maximumTick)) + offset
    for group in ports.groupsUsed(by: track) {
      for channel in 16 * group..<16 * group + 16 { channels[channel].liftPedals(at: end) }
    }
    return Tick(Int64(latest))
  }
}

/// Finds the end of a channel's sound, event by event and track by track.
private struct ChannelEnd {
  /// The note that ends last.
  private(set) var lastNote: Range<Int64>?
  private var moves: [PedalMove] = []
  /// The pedals that are down in the current track; bit n is pedal n.
  private var down: UInt8 = 0

  private struct PedalMove {
    let tick: Int64
    let pedal: Int
    let isDown: Bool
  }

  /// Sustain, hold 2, sostenuto.
  private static let pedals = 0..<3
  private static let sostenuto = 2

  mutating func add(note: Range<Int64>) {
    guard note.upperBound >= lastNote?.upperBound ?? .min else { return }
    lastNote = note
  }

  mutating func add(controller number: UInt8, _ value: UInt8, _ tick: Int64) {
    switch number {
    case 64: move(0, isDown: value >= 64, tick)
    case 69: move(1, isDown: value >= 64, tick)
    case 66: move(Self.sostenuto, isDown: value >= 64, tick)
    case 121: liftPedals(at: tick)
    default: break
    }
  }

  private mutating func move(_ pedal: Int, isDown: Bool, _ tick: Int64) {
    guard isDown != (down >> UInt8(pedal) & 1 != 0) else { return }
    down ^= 1 << UInt8(pedal)
    moves.append(PedalMove(tick: tick, pedal: pedal, isDown: isDown))
  }

  /// Releases all pedals that are down.
  mutating func liftPedals(at tick: Int64) {
    for pedal in Self.pedals { move(pedal, isDown: false, tick) }
  }

  /// The tick at which the channel is silent; nil without notes.
  var end: Int64? {
    guard let note = lastNote else { return nil }
    return Self.pedals.reduce(note.upperBound) { max($0, lift(of: $1, holding: note)) }
  }

  /// The tick at which a pedal releases a note, or the note's end if the pedal does not hold it.
  ///
  /// A pedal that is pressed at the tick of the release may precede it.
  private func lift(of pedal: Int, holding note: Range<Int64>) -> Int64 {
    var pressed: Int64?
    for move in moves.filter({ $0.pedal == pedal }).sorted(by: { $0.tick < $1.tick }) {
      if move.isDown {
        guard move.tick <= note.upperBound else { break }
        pressed = pressed ?? move.tick
      } else if move.tick > note.upperBound {
        guard let pressed, pedal != Self.sostenuto || pressed >= note.lowerBound else { break }
        return move.tick
      } else {
        pressed = nil
      }
    }
    return note.upperBound
  }
}
