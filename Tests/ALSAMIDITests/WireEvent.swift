// SPDX-License-Identifier: Apache-2.0

/// An event as the witness prints it: when, and what.
struct WireEvent {
  /// ALSA's numbers of event types.
  enum Kind: Int {
    case noteOn = 6
    case noteOff = 7
    case songPosition = 20
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
  static func all(in capture: String) -> [WireEvent] {
    capture.split(separator: "\n").compactMap { line in
      let words = line.split(separator: " ").compactMap { Int($0) }
      guard words.count == 5, let kind = Kind(rawValue: words[1]) else { return nil }
      return WireEvent(time: words[0], kind: kind, key: words[3])
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
