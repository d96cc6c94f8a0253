// SPDX-License-Identifier: Apache-2.0
internal import Glibc
internal import MusicalTime

/// The chunks with the metadata of a Core Audio Format file.
///
/// Source: Apple, Core Audio Format Specification 1.0.
struct CAFDescribingChunks {
  /// The bytes of all chunks.
  private(set) var bytes: [UInt8] = []

  init(_ metadata: SoundFileMetadata) {
    let markers = metadata.markers.prefix(CAFMetadata.countLimit)
    let loops = (metadata.instrument?.loops ?? []).prefix(16)
    // Markers and regions are numbered together, because one chunk contains the names of both.
    let firstLoop = markers.count + metadata.regions.count + 1
    add("mark", Self.markers(Array(markers)))
    let regions =
      metadata.regions.prefix(CAFMetadata.countLimit).enumerated().map {
        CAFRegion(identifier: markers.count + 1 + $0.offset, frames: $0.element.frames)
      }
      + loops.enumerated().map {
        CAFRegion(
          identifier: firstLoop + $0.offset, frames: $0.element.frames, loop: $0.element.direction)
      }
    if !regions.isEmpty {
      let head = [UInt8](repeating: 0, count: 4) + BigEndian.bytes(regions.count, 4)
      add("regn", head + regions.flatMap(\.bytes))
    }
    if let instrument = metadata.instrument {
      add("inst", Self.content(instrument, firstLoop: firstLoop, loopCount: loops.count))
    }
    addNames(Array(markers), metadata.regions)
    add("info", Self.texts(metadata))
    if let midi = metadata.midiFile { add("midi", midi) }
  }

  private mutating func add(_ name: String, _ content: [UInt8]) {
    guard !content.isEmpty else { return }
    bytes += Self.chunk(name, content)
  }

  /// The bytes of a chunk.
  static func chunk(_ name: String, _ content: [UInt8]) -> [UInt8] {
    Array(name.utf8) + BigEndian.bytes(content.count, 8) + content
  }

  private static func markers(_ markers: [SoundFileMetadata.Marker]) -> [UInt8] {
    guard !markers.isEmpty else { return [] }
    return [UInt8](repeating: 0, count: 4) + BigEndian.bytes(markers.count, 4)
      + markers.enumerated().flatMap {
        CAFMarker(frame: $0.element.position.frames, identifier: UInt32($0.offset + 1)).bytes
      }
  }

  private mutating func addNames(
    _ markers: [SoundFileMetadata.Marker], _ regions: [SoundFileMetadata.Region]
  ) {
    let names = (markers.map(\.name) + regions.map(\.name)).enumerated()
      .filter { !$0.element.isEmpty }
    guard !names.isEmpty else { return }
    add("strg", CAFText.content(names.map { (identifier: $0.offset + 1, name: $0.element) }))
  }

  private static func content(
    _ instrument: SoundFileMetadata.Instrument, firstLoop: Int, loopCount: Int
  ) -> [UInt8] {
    let key = Float(instrument.baseKey) + Float(instrument.detune) / 100
    let (keys, velocities) = (instrument.keys, instrument.velocities)
    let bounds = [
      keys.lowerBound, keys.upperBound, velocities.lowerBound, velocities.upperBound,
    ]
    let regions = [
      0, loopCount > 0 ? firstLoop : 0, loopCount > 1 ? firstLoop + 1 : 0, 0,
    ]
    return BigEndian.bytes(key) + bounds + BigEndian.bytes(Float(instrument.gain))
      + regions.flatMap { BigEndian.bytes($0, 4) }
  }

  /// The tags, with Apple's keys and those that other programs read.
  private static func texts(_ metadata: SoundFileMetadata) -> [UInt8] {
    var pairs: [(key: String, value: String)] = []
    for (tag, names) in CAFText.keys {
      guard let text = metadata.tags[tag] else { continue }
      pairs += names.prefix(2).map { ($0, text) }
    }
    if let tempo = metadata.tempo {
      pairs.append(("tempo", "\(tempo.beatsPerMinute)"))
      pairs.append(("time signature", "\(tempo.signature.0)/\(tempo.signature.1)"))
      if tempo.beatCount > 0 { pairs.append(("beat count", "\(tempo.beatCount)")) }
      if let key = tempo.key { pairs.append(("root key", "\(key)")) }
    }
    let taken = Set(pairs.map(\.key))
    pairs += metadata.strings.sorted { $0.key < $1.key }
      .filter { !taken.contains($0.key.lowercased()) }.map { ($0.key, $0.value) }
    return pairs.isEmpty ? [] : CAFText.content(pairs)
  }

  /// Appends the chunks to a finished file; returns false if the file cannot be written.
  static func append(_ metadata: SoundFileMetadata, to stream: FileStream) -> Bool {
    let bytes = CAFDescribingChunks(metadata).bytes
    return bytes.isEmpty || stream.put(bytes, at: stream.length)
  }
}

extension FileStream {
  /// Writes bytes at a position; returns false if that fails.
  func put(_ bytes: [UInt8], at place: Int64) -> Bool {
    guard seek(place, SEEK_SET) == place else { return false }
    return unsafe bytes.withUnsafeBytes { bytes in
      guard let base = bytes.baseAddress else { return true }
      return unsafe write(base, bytes.count) == bytes.count
    }
  }
}
