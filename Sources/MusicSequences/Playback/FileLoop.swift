// SPDX-License-Identifier: Apache-2.0
public import MusicalTime

/// The part of a song that the file marks as a loop.
///
/// Game music marks loops in one of four ways. The first of these that the file contains is used:
/// - markers or texts `loopStart` and `loopEnd`;
/// - controllers 116 (the value is the number of passes, 0 and 127 are endless) and 117, as in XMI
///   and EMIDI;
/// - controllers 110 for the start and 111 for the end with any values, as in HMI;
/// - controller 111, not after a controller 110, for the start, as in RPG Maker.
///
/// A loop without an end ends with the song. A loop with only a `loopEnd` begins with the song.
public struct FileLoop: Hashable, Sendable {
  /// The ticks of the loop, half open; at least one tick.
  public let range: Range<Tick>
  /// The number of times that the part is played in total; 0 for endless.
  public let count: Int

  /// Finds the loop that a sequence marks, or returns nil if it does not mark one or the loop is
  /// empty.
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

/// The first mark of each kind, in all tracks.
private struct LoopMarks {
  var markerStart: Tick?
  var markerEnd: Tick?
  var loopStart: Tick?
  var loopEnd: Tick?
  var loopCount = 0
  /// The first controller 110.
  private var firstStart: Tick?
  /// All controllers 111: an end after a controller 110, otherwise a start.
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
