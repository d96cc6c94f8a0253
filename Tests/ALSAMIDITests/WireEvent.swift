// SPDX-License-Identifier: Apache-2.0

/// An event as the witness prints it: when, and what.
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

  /// When, in nanoseconds.
  let time: Int
  let kind: Kind
  let key: Int

  /// The events of a capture, but for those of other kinds.
  ///
  /// - Parameters:
  ///   - capture: what the witness printed.
  ///   - origin: when its queue was at zero, in nanoseconds.
  /// - Returns: the events, in the order in which they came.
  static func all(in capture: String, origin: Int = 0) -> [WireEvent] {
    capture.split(separator: "\n").compactMap { line in
      let words = line.split(separator: " ").compactMap { Int($0) }
      guard words.count == 5, let kind = Kind(rawValue: words[1]) else { return nil }
      return WireEvent(time: origin + words[0], kind: kind, key: words[3])
    }
  }
}

/// The notes of a song of quarter notes beside the MIDI clocks among which they came.
struct Grid: CustomStringConvertible {
  /// The quarter notes that came, by their numbers.
  let keys: [Int]
  /// How far each lies from its clock, in milliseconds.
  let errors: [Double]
  /// Whether each came, once and in order.
  let isWhole: Bool
  /// Whether nothing came after the first Stop.
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

  /// Measures the events after the first Start; nil where there is none.
  init?(afterStart events: [WireEvent]) {
    guard let start = events.firstIndex(where: { $0.kind == .start }) else { return nil }
    self.init(events[start...], from: 0)
  }

  /// The root of the mean square of the distances but the first, in milliseconds.
  ///
  /// The note of a start cannot leave before the clock that it begins with has been heard.
  var rootMeanSquare: Double {
    let rest = errors.dropFirst()
    return (rest.reduce(0) { $0 + $1 * $1 } / Double(max(rest.count, 1))).squareRoot()
  }

  var description: String { "\(errors.count) notes \(rootMeanSquare)" }
}

/// Quarter frames without a gap, and the notes that came among them and until the next.
struct CodeRun {
  private var frames: [Int] = []
  /// The notes that began.
  private(set) var notes: [WireEvent] = []

  /// When the last quarter frame came.
  var end: Int { frames.last ?? 0 }

  /// The runs of a capture, with half a second or more between.
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

  /// What is known of the notes of a song beside the quarter frames at which they are due.
  struct Notes {
    /// The number of the first.
    let first: Int?
    /// Whether each came, once and in order.
    let isWhole: Bool
    /// How far each lies from its quarter frame, in milliseconds.
    let errors: [Double]

    /// The root of the mean square of the distances, in milliseconds.
    var rootMeanSquare: Double {
      (errors.reduce(0) { $0 + $1 * $1 } / Double(max(errors.count, 1))).squareRoot()
    }
  }

  /// Measures the notes.
  ///
  /// - Parameters:
  ///   - start: the quarter frame of the run's first, counted from the song's start.
  ///   - due: the quarter frame of a quarter note.
  /// - Returns: What is known of them.
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
