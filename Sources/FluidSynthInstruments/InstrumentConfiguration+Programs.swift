// SPDX-License-Identifier: Apache-2.0
public import MIDIMessages

extension InstrumentConfiguration {
  /// Limits the programs to those that a song asks for.
  ///
  /// A song that makes an MT-32 of the instrument, whose programs are numbered otherwise, sets no
  /// limit.
  ///
  /// - Parameters:
  ///   - events: all events of the song.
  ///   - payloads: the bytes that `sysEx` payloads point into.
  /// - Complexity: O(n) in the number of events.
  public mutating func limitPrograms(to events: Span<TimedEvent>, payloads: Span<UInt8>) {
    var programs: Set<Int> = []
    for index in events.indices {
      switch events[index].payload {
      case .message(let message) where message.status & 0xF0 == 0xC0:
        programs.insert(Int(message.data1 & 0x7F))
      case .sysEx(let place) where Self.isMT32Reset(place, payloads):
        self.programs = nil
        return
      default: break
      }
    }
    self.programs = programs
  }

  private static func isMT32Reset(_ place: PayloadRange, _ payloads: Span<UInt8>) -> Bool {
    let bytes = payloads.extracting(Int(place.offset)..<Int(place.offset) + Int(place.count))
    return unsafe bytes.withUnsafeBufferPointer {
      guard let base = $0.baseAddress, case .resetMT32 = unsafe SynthOrder(base, count: $0.count)
      else { return false }
      return true
    }
  }
}
