// SPDX-License-Identifier: Apache-2.0
public import MIDIMessages

extension InstrumentConfiguration {
  /// Limits `programs` to the program numbers that a song uses.
  ///
  /// If the song selects MT-32 mode, in which programs have different numbers, `programs` is not
  /// limited.
  ///
  /// - Parameters:
  ///   - events: all events of the song.
  ///   - payloads: the bytes to which `sysEx` payloads refer.
  /// - Complexity: O(n) in the number of events.
  public mutating func limitPrograms(to events: Span<TimedEvent>, payloads: Span<UInt8>) {
    var programs: Set<Int> = []
    for index in events.indices {
      switch events[index].payload {
      case .message(let message) where message.status & 0xF0 == 0xC0:
        programs.insert(Int(message.data1 & 0x7F))
      case .sysEx(let place):
        switch Self.choice(of: place, payloads) {
        case .all:
          self.programs = nil
          return
        case .program(let program): programs.insert(program)
        case .none: break
        }
      default: break
      }
    }
    self.programs = programs
  }

  private enum Choice {
    case program(Int), all
  }

  /// The selection that a SysEx message makes: a part's program (GS 40 1x 01, XG 08 pp 03), or all
  /// programs of an MT-32.
  private static func choice(of place: PayloadRange, _ payloads: Span<UInt8>) -> Choice? {
    let bytes = payloads.extracting(Int(place.offset)..<Int(place.offset) + Int(place.count))
    return unsafe bytes.withUnsafeBufferPointer { bytes in
      guard let base = bytes.baseAddress else { return nil }
      func program(_ index: Int, of count: Int, at offset: Int) -> Choice? {
        guard index >= 0, index < count else { return nil }
        return unsafe .program(Int(bytes[offset + index] & 0x7F))
      }
      switch unsafe SynthOrder(base, count: bytes.count) {
      case .resetMT32: return .all
      case .gsPart(_, 1, let low, let offset, let count):
        return program(1 - low, of: count, at: offset)
      case .xgPart(_, let low, let offset, let count):
        return program(3 - low, of: count, at: offset)
      default: return nil
      }
    }
  }
}
