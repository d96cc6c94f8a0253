// SPDX-License-Identifier: Apache-2.0
internal import MusicalTime

/// The metadata in the chunks of a Core Audio Format file.
///
/// Source: Apple, Core Audio Format Specification 1.0: marker, region, instrument, strings,
/// information, MIDI, peak, overview and edit comments chunks. The chunk `uuid` of Apple Loops has
/// the form of the information chunk.
struct CAFMetadata {
  /// The metadata.
  private(set) var metadata = SoundFileMetadata()
  private let hertz: Double
  /// The names in the strings chunk, by their numbers.
  private let names: [UInt32: String]

  /// The maximum number of markers, regions, texts and steps, each.
  static let countLimit = 10_000
  private static let stepLimit = 1 << 20

  /// Reads the chunks.
  ///
  /// - Parameters:
  ///   - chunks: The chunks of the file; the first of each kind is read.
  ///   - hertz: Frames per second of the sound.
  ///   - seconds: The length of the sound; nil if it is not known.
  init(_ chunks: CAFChunks, hertz: Double, seconds: Double?) {
    self.hertz = hertz
    names = CAFText.names(chunks.content("strg"))
    readMarkers(chunks.content("mark"))
    readInstrument(chunks.content("inst"), CAFRegion.all(chunks.content("regn")))
    readTexts(CAFText.pairs(chunks.content("info")), Self.loopTexts(chunks), seconds)
    readPeaks(chunks.content("peak"))
    readOverview(chunks.content("ovvw"))
    metadata.editComments = CAFText.pairs(chunks.content("edct")).reduce(into: [:]) {
      $0[$1.key] = $1.value
    }
    let midi = chunks.content("midi")
    if !midi.isEmpty { metadata.midiFile = Array(midi) }
  }

  private mutating func readMarkers(_ content: ArraySlice<UInt8>) {
    guard let count = content.number(4, 4) else { return }
    let timeType = content.number(0, 4) ?? 0
    for index in 0..<min(count, Self.countLimit) {
      guard let marker = CAFMarker(content, 8 + index * CAFMarker.byteCount) else { return }
      // A marker without a frame has a time code, relative to the start of the sound.
      guard let frame = marker.frame ?? marker.time?.frame(timeType, hertz) else { continue }
      metadata.markers.append(
        SoundFileMetadata.Marker(
          position: SampleTime(frames: frame), name: names[marker.identifier] ?? ""))
    }
  }

  private mutating func readInstrument(_ content: ArraySlice<UInt8>, _ regions: [CAFRegion]) {
    var instrument = SoundFileMetadata.Instrument()
    var isThere = false
    var order: [UInt32] = []
    if let base = content.float(0), base.isFinite, let ranges = content.words(4, 1),
      let gain = content.float(8)
    {
      isThere = true
      let key = (Double(base).rounded()).clamped(to: 0...127)
      instrument.baseKey = UInt8(key)
      instrument.detune = Int8(((Double(base) - key) * 100).rounded().clamped(to: -50...50))
      if gain.isFinite { instrument.gain = Int(Double(gain).rounded().clamped(to: -1000...1000)) }
      let bounds = [24, 16, 8, 0].map { UInt8(ranges[0] >> $0 & 0x7F) }
      if bounds[0] <= bounds[1] { instrument.keys = bounds[0]...bounds[1] }
      if bounds[2] <= bounds[3] { instrument.velocities = bounds[2]...bounds[3] }
      // The chunk does not state a loop for the start: sustain, then release.
      order = content.words(16, 2) ?? []
    }
    let looped = regions.filter(\.isLooped)
    let first = order.compactMap { number in looped.first { $0.identifier == number } }
    let rest = looped.filter { region in !first.contains { $0.identifier == region.identifier } }
    instrument.loops = (first + rest).prefix(16).map {
      SoundFileMetadata.Loop($0.frames, direction: $0.direction)
    }
    if isThere || !instrument.loops.isEmpty { metadata.instrument = instrument }
    metadata.regions = regions.filter { !$0.isLooped }.map {
      SoundFileMetadata.Region($0.frames, name: names[$0.identifier] ?? "")
    }
  }

  /// The texts of an Apple Loop.
  private static func loopTexts(_ chunks: CAFChunks) -> [(key: String, value: String)] {
    for chunk in chunks.chunks where chunk.name == "uuid" {
      let content = chunks.content(chunk)
      if content.starts(with: CAFText.loopIdentifier) {
        return CAFText.pairs(content.dropFirst(16))
      }
    }
    return []
  }

  private mutating func readTexts(
    _ texts: [(key: String, value: String)], _ loop: [(key: String, value: String)],
    _ seconds: Double?
  ) {
    let named = (texts + loop).map { ($0.key.lowercased(), $0.value) }
    let all = Dictionary(named) { first, _ in first }
    metadata.tempo = CAFText.tempo(all, seconds: seconds)
    for (key, value) in texts + loop {
      if metadata.tempo != nil, CAFText.tempoKeys.contains(key.lowercased()) { continue }
      if let tag = CAFText.tag(named: key) {
        if !value.isEmpty, metadata.tags[tag] == nil { metadata.tags[tag] = value }
      } else if metadata.strings[key] == nil {
        metadata.strings[key] = value
      }
    }
  }

  private mutating func readPeaks(_ content: ArraySlice<UInt8>) {
    for index in 0..<min(1024, content.count / 12) {
      guard let value = content.float(4 + 12 * index),
        let frame = content.number(8 + 12 * index, 8)
      else { return }
      metadata.peaks.append(SoundFileMetadata.Peak(value: value, frame: Int64(frame)))
    }
  }

  private mutating func readOverview(_ content: ArraySlice<UInt8>) {
    guard let step = content.number(4, 4), step > 0 else { return }
    var samples: [ClosedRange<Int16>] = []
    for place in stride(from: 8, to: min(content.count - 3, 4 * Self.stepLimit), by: 4) {
      guard let pair = content.number(place, 4) else { break }
      let (low, high) = (
        Int16(truncatingIfNeeded: pair >> 16), Int16(truncatingIfNeeded: pair)
      )
      samples.append(min(low, high)...max(low, high))
    }
    metadata.overview = SoundFileMetadata.Overview(framesPerStep: step, samples: samples)
  }
}

extension Double {
  /// The nearest number in a range.
  fileprivate func clamped(to range: ClosedRange<Double>) -> Double {
    min(max(self, range.lowerBound), range.upperBound)
  }
}
