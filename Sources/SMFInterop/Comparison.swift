// SPDX-License-Identifier: Apache-2.0
internal import MusicSequences
internal import MusicalTime

/// Compares the lines of libsmf with Downbeat's events, one at a time.
struct Comparison {
  private static let limit = 20

  private let file: SequenceFile
  private let events: FileEvents?
  private var ours: FileEvents.Iterator?
  private var next: FileEvent?
  private var equalEvents = 0
  private var tempi: [(tick: Int64, microseconds: Int64)] = []
  private var length: Double?
  private var differences: [SecondOpinion.Difference] = []
  /// The track in which a difference was found; the rest of it is not compared.
  private var parted = -1

  init(_ file: SequenceFile) {
    self.file = file
    do {
      let events = try FileEvents(file)
      self.events = events
      ours = events.makeIterator()
      next = ours?.next()
    } catch {
      // A file that was read can be written, except for a track that a repair made larger than 4
      // GiB.
      events = nil
    }
  }

  /// Processes a line of the program's output.
  mutating func take(_ line: ArraySlice<UInt8>) {
    let words = line.split(separator: UInt8(ascii: " "))
    guard let name = words.first else { return }
    let values = words.dropFirst().map { String(decoding: $0, as: UTF8.self) }
    switch String(decoding: name, as: UTF8.self) {
    case "event" where values.count >= 2: takeEvent(values)
    case "tempo" where values.count == 2: takeTempo(values)
    case "length": length = values.first.flatMap(Double.init)
    case "file" where values.count == 3: takeHeader(values)
    default: break
    }
  }

  private mutating func takeHeader(_ values: [String]) {
    let read = values.joined(separator: ", ")
    guard let events else { return }
    let resolution: String
    switch events.division {
    case .ppqn(let ticks): resolution = "\(ticks.ticks)"
    case .smpte: resolution = "SMPTE"
    }
    let mine = "\(events.format.rawValue), \(resolution), \(events.tracks.count)"
    guard read != mine else { return }
    note(.header, "libsmf reads format, division, tracks \(read); Downbeat reads \(mine)")
  }

  private mutating func takeEvent(_ values: [String]) {
    guard let track = Int(values[0]), let tick = Int64(values[1]), track != parted else { return }
    let hex = values.count > 2 ? values[2] : ""
    skip(toTrack: track)
    guard let event = next, Int(event.track) == track else {
      part(track, tick, "libsmf reads \(shown(hex)), Downbeat reads nothing more")
      return
    }
    let mine = self.hex(of: event)
    guard event.tick.value == tick, mine == hex else {
      part(
        track, tick,
        "libsmf reads \(shown(hex)), Downbeat reads \(shown(mine)) at tick \(event.tick.value)")
      return
    }
    equalEvents += 1
    next = ours?.next()
  }

  /// Skips the remaining events of earlier tracks.
  ///
  /// If they were equal so far, libsmf ended too early.
  private mutating func skip(toTrack track: Int) {
    while let event = next, Int(event.track) < track {
      if Int(event.track) != parted {
        let mine = shown(hex(of: event))
        part(
          Int(event.track), event.tick.value, "libsmf reads nothing more, Downbeat reads \(mine)")
      }
      next = ours?.next()
    }
  }

  private mutating func part(_ track: Int, _ tick: Int64, _ message: String) {
    parted = track
    note(.event, message, track: track, tick: tick)
  }

  private mutating func takeTempo(_ values: [String]) {
    guard let tick = Int64(values[0]), let microseconds = Int64(values[1]) else { return }
    Self.add(tick, microseconds, to: &tempi)
  }

  /// Adds a tempo to a list of changes.
  ///
  /// If several have one tick, the last applies.
  private static func add(
    _ tick: Int64, _ microseconds: Int64, to list: inout [(tick: Int64, microseconds: Int64)]
  ) {
    if list.last?.tick == tick { list.removeLast() }
    guard (list.last?.microseconds ?? 0) != microseconds else { return }
    list.append((tick, microseconds))
  }

  private mutating func note(
    _ kind: SecondOpinion.Difference.Kind, _ message: String, track: Int? = nil,
    tick: Int64? = nil
  ) {
    guard differences.count < Self.limit else { return }
    differences.append(
      SecondOpinion.Difference(kind: kind, track: track, tick: tick, message: message))
  }

  /// The bytes of an event as libsmf represents them, in hexadecimal.
  private func hex(of event: FileEvent) -> String {
    var bytes: [UInt8] = event.status == 0xF7 ? [] : [event.status]
    if event.status < 0xF0 {
      bytes.append(event.data1)
      if event.status & 0xE0 != 0xC0 { bytes.append(event.data2) }
    } else if let events {
      let payload = events.payload(of: event)
      if event.status == 0xFF { bytes += [event.data1] + Self.quantity(payload.count) }
      bytes += payload
    }
    return Self.hexadecimal(bytes)
  }

  private static func quantity(_ value: Int) -> [UInt8] {
    var bytes = [UInt8(value & 0x7F)]
    var rest = value >> 7
    while rest > 0 {
      bytes.insert(UInt8(rest & 0x7F) | 0x80, at: 0)
      rest >>= 7
    }
    return bytes
  }

  private static func hexadecimal(_ bytes: [UInt8]) -> String {
    let digits = Array("0123456789abcdef".utf8)
    var text: [UInt8] = []
    text.reserveCapacity(bytes.count * 2)
    for byte in bytes { text += [digits[Int(byte >> 4)], digits[Int(byte & 15)]] }
    return String(decoding: text, as: UTF8.self)
  }

  private func shown(_ hex: String) -> String {
    hex.utf8.count > 40 ? "\(hex.prefix(40))… (\(hex.utf8.count / 2) bytes)" : hex
  }
}

extension Comparison {
  /// The result if libsmf does not read the file.
  func refusal(_ outcome: SecondOpinion.Outcome) -> SecondOpinion {
    SecondOpinion(
      outcome: outcome, equalEvents: equalEvents, equalTempi: 0, length: nil, differences: [])
  }

  /// The result after all lines were processed.
  mutating func opinion() -> SecondOpinion {
    skip(toTrack: .max)
    let equalTempi = compareTempi()
    compareLength()
    return SecondOpinion(
      outcome: differences.isEmpty ? .agrees : .differs, equalEvents: equalEvents,
      equalTempi: equalTempi, length: length, differences: differences)
  }

  private mutating func compareTempi() -> Int {
    var mine: [(tick: Int64, microseconds: Int64)] = []
    Self.add(0, 500_000, to: &mine)
    for change in file.sequences.first?.tempoChanges ?? [] {
      Self.add(change.tick.value, Int64(change.tempo.tenNanosecondsPerQuarter) / 100, to: &mine)
    }
    for (index, pair) in zip(mine, tempi).enumerated() where pair.0 != pair.1 {
      let theirs = "\(pair.1.microseconds) µs per quarter note at tick \(pair.1.tick)"
      note(
        .tempo, "libsmf reads \(theirs), Downbeat reads \(pair.0.microseconds) µs",
        tick: pair.0.tick)
      return index
    }
    if mine.count != tempi.count {
      note(.tempo, "libsmf reads \(tempi.count) tempo changes, Downbeat reads \(mine.count)")
    }
    return min(mine.count, tempi.count)
  }

  private mutating func compareLength() {
    guard let length else { return note(.length, "libsmf does not report a length") }
    do {
      let mine = try SequenceSummary(file).length.approximation
      // libsmf adds seconds in floating point; its tempi have a resolution of a microsecond.
      guard abs(mine - length) > 1e-6 + mine * 1e-9 else { return }
      note(.length, "libsmf reads \(length) s, Downbeat reads \(mine) s")
    } catch {
      note(.length, "\(error)")
    }
  }
}
