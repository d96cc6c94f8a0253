// SPDX-License-Identifier: Apache-2.0
public import MusicalTime

/// The part of a piece that its file asks to be played over and over.
///
/// Games' music says so in one of four ways; the first that is there counts:
/// - markers or texts `loopStart` and `loopEnd`;
/// - controllers 116 (whose value is how often, 0 and 127 for ever) and 117, as in XMI and EMIDI;
/// - controllers 110 for the start and 111 for the end, as in HMI, of any value;
/// - controller 111 without 110 before it for the start, as in RPG Maker.
///
/// A loop without an end mark ends with the piece; one with only a `loopEnd` starts with the piece.
public struct FileLoop: Hashable, Sendable {
  /// The part, half open; it holds a tick at least.
  public let range: Range<Tick>
  /// How often the part is played in all; 0 for ever.
  public let count: Int

  /// Finds the loop of a sequence; nil where it asks for none, or for one without length.
  ///
  /// - Complexity: O(n).
  public init?(_ sequence: MusicSequence) {
    var marks = LoopMarks()
    for track in sequence.tracks { marks.look(at: track) }
    let end = sequence.length
    let found: (start: Tick?, end: Tick?)
    if marks.markerStart != nil || marks.markerEnd != nil {
      found = (marks.markerStart, marks.markerEnd)
      count = 0
    } else if let start = marks.loopStart {
      found = (start, marks.loopEnd)
      count = marks.loopCount
    } else if let start = marks.hmiStart {
      found = (start, marks.restarts.filter { $0 > start }.min())
      count = 0
    } else if let start = marks.restarts.min() {
      found = (start, nil)
      count = 0
    } else {
      return nil
    }
    let (first, last) = (found.start ?? .zero, found.end ?? end)
    guard first < last else { return nil }
    range = first..<last
  }
}

/// The first of each mark, over all tracks.
private struct LoopMarks {
  var markerStart: Tick?
  var markerEnd: Tick?
  var loopStart: Tick?
  var loopEnd: Tick?
  var loopCount = 0
  /// The first controller 110.
  private var firstStart: Tick?
  /// Every controller 111: an end behind a 110, a start without one.
  var restarts: [Tick] = []

  /// The first controller 110, unless a 111 precedes it.
  var hmiStart: Tick? {
    guard let firstStart, restarts.allSatisfy({ $0 >= firstStart }) else { return nil }
    return firstStart
  }

  mutating func look(at track: MusicTrack) {
    for event in track.records {
      let tick = Tick(Int64(event.tick))
      if event.status == EventRecord.meta, event.data1 == 1 || event.data1 == 6 {
        look(at: track.payloads.payload(of: event), tick)
      } else if event.status & 0xF0 == 0xB0 {
        look(at: event.data1, event.data2, tick)
      }
    }
  }

  private mutating func look(at text: ArraySlice<UInt8>, _ tick: Tick) {
    guard (7...10).contains(text.count) else { return }
    switch String(decoding: text, as: UTF8.self).lowercased().filter({ $0.isLetter }) {
    case "loopstart": Self.keep(&markerStart, tick)
    case "loopend": Self.keep(&markerEnd, tick)
    default: break
    }
  }

  private mutating func look(at controller: UInt8, _ value: UInt8, _ tick: Tick) {
    switch controller {
    case 110: Self.keep(&firstStart, tick)
    case 111: restarts.append(tick)
    case 116:
      if loopStart.map({ tick < $0 }) ?? true { loopCount = value == 127 ? 0 : Int(value) }
      Self.keep(&loopStart, tick)
    case 117: Self.keep(&loopEnd, tick)
    default: break
    }
  }

  private static func keep(_ mark: inout Tick?, _ tick: Tick) {
    mark = mark.map { min($0, tick) } ?? tick
  }
}
