// SPDX-License-Identifier: Apache-2.0
internal import MusicalTime

/// The markers, instrument, loops and tempo of an AIFF file.
///
/// Sources: Apple, AIFF 1.3 (`MARK`, `INST`); the chunk `basc` of Apple Loops.
struct AIFFMetadata {
  private(set) var markers: [SoundFileMetadata.Marker] = []
  private(set) var instrument: SoundFileMetadata.Instrument?
  private(set) var tempo: SoundFileMetadata.Tempo?

  private static let byteLimit = 1 << 22
  private static let countLimit = 1000
  /// The names of the markers of a loop, which are not markers of the sound.
  private static let loopNames = ["beg loop", "end loop"]

  /// Reads the chunks of a file; nil for another file.
  ///
  /// - Parameters:
  ///   - stream: The file.
  ///   - seconds: The length of the sound, from which the tempo is calculated; nil if unknown.
  /// - Complexity: O(n) in the number of chunks, at most 1000.
  init?(of stream: FileStream, seconds: Double?) {
    guard let head = stream.bytes(at: 0, 12), MP4Box.latin(head[..<4]) == "FORM",
      ["AIFF", "AIFC"].contains(MP4Box.latin(head[8...]))
    else { return nil }
    var (place, found) = (Int64(12), [String: ArraySlice<UInt8>]())
    for _ in 0..<Self.countLimit {
      guard let head = stream.bytes(at: place, 8), let size = head[...].number(4, 4) else { break }
      let name = MP4Box.latin(head[..<4])
      if ["MARK", "INST", "basc"].contains(name), found[name] == nil, size <= Self.byteLimit {
        found[name] = stream.bytes(at: place + 8, upTo: size)?[...]
      }
      place += 8 + Int64(size + size % 2)
    }
    let marks = Self.marks(found["MARK"] ?? [])
    var used: Set<Int> = []
    if let content = found["INST"] { used = readInstrument(content, marks) }
    markers = marks.filter { !(used.contains($0.identifier) && Self.isOfLoop($0.name)) }.map {
      SoundFileMetadata.Marker(position: SampleTime(frames: $0.frame), name: $0.name)
    }
    if let content = found["basc"], let seconds { readTempo(content, seconds) }
  }

  private typealias Mark = (identifier: Int, frame: Int64, name: String)

  private static func isOfLoop(_ name: String) -> Bool { name.isEmpty || loopNames.contains(name) }

  private static func marks(_ content: ArraySlice<UInt8>) -> [Mark] {
    var (marks, place) = ([Mark](), 2)
    for _ in 0..<min(content.number(0, 2) ?? 0, CueBlock.limit) {
      guard let identifier = content.number(place, 2), let frame = content.number(place + 2, 4),
        let count = content.number(place + 6, 1), count <= content.count - place - 7
      else { break }
      let text = content.dropFirst(place + 7).prefix(count).prefix { $0 != 0 }
      marks.append((identifier, Int64(frame), String(decoding: text, as: UTF8.self)))
      // The count and the text together have an even number of bytes.
      place += 7 + count + (count + 1) % 2
    }
    return marks
  }

  /// Reads the instrument; returns the numbers of the markers of its loops.
  private mutating func readInstrument(_ content: ArraySlice<UInt8>, _ marks: [Mark]) -> Set<Int> {
    guard content.count >= 20, let gain = content.number(6, 2) else { return [] }
    let numbers = Array(content.prefix(6))
    var found = SoundFileMetadata.Instrument()
    found.baseKey = numbers[0] & 0x7F
    found.detune = min(50, max(-50, Int8(bitPattern: numbers[1])))
    if numbers[2] <= numbers[3], numbers[3] < 128 { found.keys = numbers[2]...numbers[3] }
    if numbers[4] <= numbers[5], numbers[5] < 128 { found.velocities = numbers[4]...numbers[5] }
    found.gain = Int(Int16(truncatingIfNeeded: gain))
    var used: Set<Int> = []
    for place in [8, 14] {
      guard let mode = content.number(place, 2), mode == 1 || mode == 2,
        let start = content.number(place + 2, 2), let end = content.number(place + 4, 2),
        let first = marks.first(where: { $0.identifier == start }),
        let last = marks.first(where: { $0.identifier == end }), first.frame < last.frame
      else { continue }
      used.formUnion([start, end])
      found.loops.append(
        SoundFileMetadata.Loop(
          first.frame..<last.frame, direction: mode == 1 ? .forward : .alternating))
    }
    instrument = found
    return used
  }

  private mutating func readTempo(_ content: ArraySlice<UInt8>, _ seconds: Double) {
    guard let beats = content.number(4, 4), let key = content.number(8, 2),
      let numerator = content.number(12, 2), let denominator = content.number(14, 2), beats > 0,
      denominator > 0, seconds > 0
    else { return }
    tempo = SoundFileMetadata.Tempo(
      beatsPerMinute: Float(Double(beats * 240) / Double(denominator) / seconds),
      beatCount: beats, signature: (numerator, denominator),
      key: (1...127).contains(key) ? UInt8(key) : nil)
  }
}

extension AIFFMetadata {
  /// Appends chunks with metadata to a finished file.
  ///
  /// - Parameters:
  ///   - metadata: Two loops are written, forward or alternating; a tempo only with its beats.
  ///   - stream: The file.
  /// - Returns: False if the file cannot be written.
  static func append(_ metadata: SoundFileMetadata, to stream: FileStream) -> Bool {
    guard let head = stream.bytes(at: 0, 12), MP4Box.latin(head[..<4]) == "FORM" else {
      return false
    }
    var bytes: [UInt8] = []
    let loops = Self.loops(metadata)
    let marks = Self.marks(metadata, loops)
    if !marks.isEmpty {
      let content = marks.flatMap { mark in
        BigEndian.bytes(mark.identifier, 2) + BigEndian.bytes(Int(mark.frame), 4) + text(mark.name)
      }
      bytes += chunk("MARK", BigEndian.bytes(marks.count, 2) + content)
    }
    if let instrument = metadata.instrument {
      let first = marks.count - 2 * loops.count + 1
      bytes += chunk("INST", content(instrument, loops, firstMark: first))
    }
    if let tempo = metadata.tempo, tempo.beatCount > 0 { bytes += chunk("basc", content(tempo)) }
    guard !bytes.isEmpty else { return true }
    let length = stream.length
    let pad: [UInt8] = length % 2 == 1 ? [0] : []
    let size = Int(length) + pad.count + bytes.count - 8
    // A file that would exceed 4 GB does not change.
    guard size < 1 << 32 else { return true }
    return stream.put(pad + bytes, at: length) && stream.put(BigEndian.bytes(size, 4), at: 4)
  }

  /// The loops that AIFF can store: at most two, with an end below 2³².
  static func loops(_ metadata: SoundFileMetadata) -> [SoundFileMetadata.Loop] {
    let all = (metadata.instrument?.loops ?? []).filter {
      !$0.frames.isEmpty && $0.frames.upperBound < 1 << 32
    }
    return Array(all.prefix(2))
  }

  private static func marks(
    _ metadata: SoundFileMetadata, _ loops: [SoundFileMetadata.Loop]
  ) -> [Mark] {
    let own = metadata.markers.filter { (0..<1 << 32).contains($0.position.frames) }
      .prefix(CueBlock.limit).map { ($0.position.frames, $0.name) }
    let ends = loops.flatMap {
      [($0.frames.lowerBound, loopNames[0]), ($0.frames.upperBound, loopNames[1])]
    }
    return (own + ends).enumerated().map {
      (identifier: $0.offset + 1, frame: $0.element.0, name: $0.element.1)
    }
  }

  private static func content(
    _ instrument: SoundFileMetadata.Instrument, _ loops: [SoundFileMetadata.Loop], firstMark: Int
  ) -> [UInt8] {
    let head = [
      instrument.baseKey, UInt8(bitPattern: instrument.detune), instrument.keys.lowerBound,
      instrument.keys.upperBound, instrument.velocities.lowerBound,
      instrument.velocities.upperBound,
    ]
    let parts = (0..<2).flatMap { index -> [Int] in
      guard index < loops.count else { return [0, 0, 0] }
      let mark = firstMark + 2 * index
      return [loops[index].direction == .alternating ? 2 : 1, mark, mark + 1]
    }
    let gain = Int(Int16(clamping: instrument.gain))
    return head + BigEndian.bytes(gain, 2) + parts.flatMap { BigEndian.bytes($0, 2) }
  }

  private static func content(_ tempo: SoundFileMetadata.Tempo) -> [UInt8] {
    // Version 1; the scale is not stated; it is a loop.
    BigEndian.bytes(1, 4) + BigEndian.bytes(tempo.beatCount, 4)
      + [Int(tempo.key ?? 0), 0, tempo.signature.0, tempo.signature.1, 1]
      .flatMap { BigEndian.bytes($0, 2) } + [UInt8](repeating: 0, count: 66)
  }

  /// A text of at most 255 bytes after their number, with an even number of bytes in total.
  private static func text(_ text: String) -> [UInt8] {
    var bytes = Array(text.utf8.prefix(255))
    // A character must not be cut.
    while String(validating: bytes, as: UTF8.self) == nil { bytes.removeLast() }
    return [UInt8(bytes.count)] + bytes + (bytes.count % 2 == 0 ? [0] : [])
  }

  private static func chunk(_ name: String, _ content: [UInt8]) -> [UInt8] {
    Array(name.utf8) + BigEndian.bytes(content.count, 4) + content
      + (content.count % 2 == 1 ? [0] : [])
  }
}
