// SPDX-License-Identifier: Apache-2.0

/// An event as printed by the witness: its time and content.
struct WireEvent {
  /// ALSA's numbers of event types.
  enum Kind: Int {
    case noteOn = 6
    case noteOff = 7
    case songPosition = 20
    case quarterFrame = 22
    case start = 30
    case go = 31
    case stop = 32
    case clock = 36
  }

  /// The key of a song's first quarter note.
  static let firstKey = 36

  /// The time in nanoseconds.
  let time: Int
  let kind: Kind
  let key: Int

  /// Returns the events of a capture, without those of other kinds.
  ///
  /// - Parameters:
  ///   - capture: The output of the witness.
  ///   - origin: The time at which its queue was at zero, in nanoseconds.
  /// - Returns: The events in the order of arrival.
  static func all(in capture: String, origin: Int = 0) -> [WireEvent] {
    capture.split(separator: "\n").compactMap { line in
      let words = line.split(separator: " ").compactMap { Int($0) }
      guard words.count == 5, let kind = Kind(rawValue: words[1]) else { return nil }
      return WireEvent(time: origin + words[0], kind: kind, key: words[3])
    }
  }
}

/// The notes of a song of quarter notes, compared with the MIDI clocks.
struct Grid: CustomStringConvertible {
  /// The numbers of the received quarter notes.
  let keys: [Int]
  /// The distance of each from its clock, in milliseconds.
  let errors: [Double]
  /// True if each arrived, once and in order.
  let isWhole: Bool
  /// True if no note arrived after the first Stop.
  let endsWithStop: Bool
  /// Nanoseconds from the Start or Continue to the first clock.
  let lead: Int

  /// Measures the events after a Start or a Continue.
  ///
  /// - Parameters:
  ///   - events: the events, from that message on.
  ///   - quarter: the quarter note that the first clock begins.
  init(_ events: some BidirectionalCollection<WireEvent>, from quarter: Int) {
    let clocks = events.filter { $0.kind == .clock }.map(\.time)
    let notes = events.filter { $0.kind == .noteOn }
    let keys = notes.map { $0.key - WireEvent.firstKey }
    self.keys = keys
    isWhole = zip(keys, keys.dropFirst()).allSatisfy { $1 == $0 + 1 }
    errors = zip(keys, notes).compactMap { key, note in
      let index = (key - quarter) * 24
      return clocks.indices.contains(index) ? Double(note.time - clocks[index]) / 1e6 : nil
    }
    let stop = events.firstIndex { $0.kind == .stop }
    endsWithStop = stop.map { events[$0...].allSatisfy { $0.kind != .noteOn } } ?? false
    lead = (clocks.first ?? 0) - (events.first?.time ?? 0)
  }

  /// Measures the events after the first Start; nil without a Start.
  init?(afterStart events: [WireEvent]) {
    guard let start = events.firstIndex(where: { $0.kind == .start }) else { return nil }
    self.init(events[start...], from: 0)
  }

  /// The root mean square of the distances without the first, in milliseconds.
  ///
  /// The first note cannot leave before its clock has been received.
  var rootMeanSquare: Double {
    let rest = errors.dropFirst()
    return (rest.reduce(0) { $0 + $1 * $1 } / Double(max(rest.count, 1))).squareRoot()
  }

  var description: String { "\(errors.count) notes \(rootMeanSquare)" }
}

/// Quarter frames without a gap, and the notes that arrived until the next run.
struct CodeRun {
  private var frames: [Int] = []
  /// The notes that began.
  private(set) var notes: [WireEvent] = []

  /// The arrival of the last quarter frame.
  var end: Int { frames.last ?? 0 }

  /// The runs of a capture, separated by half a second or more.
  static func all(in events: [WireEvent]) -> [CodeRun] {
    var runs: [CodeRun] = []
    for event in events {
      switch event.kind {
      case .quarterFrame:
        if event.time - (runs.last?.end ?? .min / 2) > 500_000_000 { runs.append(CodeRun()) }
        runs[runs.count - 1].frames.append(event.time)
      case .noteOn where !runs.isEmpty: runs[runs.count - 1].notes.append(event)
      default: break
      }
    }
    return runs
  }

  /// The notes of a song, compared with the quarter frames at which they are due.
  struct Notes {
    /// The number of the first.
    let first: Int?
    /// True if each arrived, once and in order.
    let isWhole: Bool
    /// The distance of each from its quarter frame, in milliseconds.
    let errors: [Double]

    /// The root mean square of the distances, in milliseconds.
    var rootMeanSquare: Double {
      (errors.reduce(0) { $0 + $1 * $1 } / Double(max(errors.count, 1))).squareRoot()
    }
  }

  /// Measures the notes.
  ///
  /// - Parameters:
  ///   - start: The quarter frame of the run's first, counted from the song's start.
  ///   - due: The quarter frame of a quarter note.
  /// - Returns: The measurements.
  func errors(from start: Int, due: (Int) -> Int) -> Notes {
    let keys = notes.map { $0.key - WireEvent.firstKey }
    return Notes(
      first: keys.first, isWhole: zip(keys, keys.dropFirst()).allSatisfy { $1 == $0 + 1 },
      errors: zip(keys, notes).compactMap { key, note in
        let index = due(key) - start
        return frames.indices.contains(index) ? Double(note.time - frames[index]) / 1e6 : nil
      })
  }
}
