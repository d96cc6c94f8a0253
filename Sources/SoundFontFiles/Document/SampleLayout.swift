// SPDX-License-Identifier: Apache-2.0

/// The positions of samples in a new file, and the bytes of the chunks `smpl` and `sm24`.
///
/// Data that is not written completely is packed: for each sample its frames and the 46 frames
/// after them, with overlapping parts written once. Samples therefore keep the frames around them,
/// and a new sample is followed by silence.
///
/// Source: SoundFont 2.04, section 6.1.
struct SampleLayout {
  /// The position of a sample's first frame or byte; nil for a sample that is not in the file.
  private(set) var starts: [Int?]
  /// The content of `smpl`.
  private(set) var frames = FontSegments()
  /// The content of `sm24`; nil for samples of 16 bits.
  private(set) var lowBytes: FontSegments?

  /// The number of silent frames after each sample.
  static let silence = 46

  /// Determines the positions of a document's samples.
  ///
  /// - Throws: An error if a new sample exceeds its data.
  init(_ document: SoundFontDocument) throws(UnwritableSoundFont) {
    let samples = document.samples
    starts = Array(repeating: nil, count: samples.count)
    let groups = Self.groups(document)
    if groups.contains(where: { $0.hasLowBytes(samples) }) { lowBytes = FontSegments() }
    for (number, group) in groups.enumerated() {
      let isLast = number == groups.count - 1
      if number > 0 { align() }
      if group.isWhole {
        appendWhole(group, samples, isLast: isLast)
      } else {
        try appendParts(group, samples, isLast: isLast)
      }
    }
    let isAsRead = groups.count == 1 && groups[0].isWhole
    if !isAsRead, samples.contains(where: { !$0.isCompressed }) { align() }
    padLowBytes(to: frames.count / 2 + frames.count / 2 % 2)
  }

  /// Sample data and the samples in it.
  private struct Group {
    let data: SoundFontDocument.SampleData
    let isWhole: Bool
    var samples: [Int] = []

    /// True if lower bytes of frames are written.
    func hasLowBytes(_ all: [SoundFontDocument.Sample]) -> Bool {
      guard data.lowBytes != nil else { return false }
      return isWhole || samples.contains { SamplePart(all[$0])?.hasFrames == true }
    }
  }

  /// The data of samples: completely written data first, the rest in the order of its first
  /// samples.
  private static func groups(_ document: SoundFontDocument) -> [Group] {
    var groups = document.frame.wholeData.map { Group(data: $0, isWhole: true) }
    var numbers: [ObjectIdentifier: Int] = [:]
    for (number, group) in groups.enumerated() { numbers[ObjectIdentifier(group.data)] = number }
    for (index, sample) in document.samples.enumerated() {
      let identifier = ObjectIdentifier(sample.data)
      if let number = numbers[identifier] {
        groups[number].samples.append(index)
      } else if !sample.isInROM {
        numbers[identifier] = groups.count
        groups.append(Group(data: sample.data, isWhole: false, samples: [index]))
      }
    }
    return groups
  }

  /// Pads to a complete frame.
  private mutating func align() {
    if frames.count % 2 == 1 { frames.append(zeros: 1) }
  }

  private mutating func appendSilence(_ byteCount: Int) {
    guard byteCount > 0 else { return }
    align()
    frames.append(zeros: byteCount + byteCount % 2)
  }

  /// Pads the lower bytes with zeros up to a frame.
  private mutating func padLowBytes(to frame: Int) {
    guard let lowBytes, lowBytes.count < frame else { return }
    self.lowBytes?.append(zeros: frame - lowBytes.count)
  }
}

extension SampleLayout {
  /// Appends data with all gaps between its samples.
  private mutating func appendWhole(
    _ group: Group, _ samples: [SoundFontDocument.Sample], isLast: Bool
  ) {
    let (data, base) = (group.data, frames.count)
    frames.append(data.bytes)
    padLowBytes(to: base / 2)
    // The last data keeps the byte that makes the number of lower bytes even.
    if let low = data.lowBytes { lowBytes?.append(isLast ? low : low.part(0..<data.frameCount)) }
    var missing = 0
    for index in group.samples where !samples[index].isInROM {
      let sample = samples[index]
      starts[index] = sample.start &+ (sample.isCompressed ? base : base / 2)
      guard let part = SamplePart(sample), part.hasFrames else { continue }
      missing = max(missing, part.end - data.bytes.count)
    }
    // The last sample of a font can lack silence after it, which ends its sound earlier.
    if !isLast { appendSilence(missing) }
  }

  /// Appends the parts of data that samples use.
  private mutating func appendParts(
    _ group: Group, _ samples: [SoundFontDocument.Sample], isLast: Bool
  ) throws(UnwritableSoundFont) {
    var own: [(sample: Int, part: SamplePart)] = []
    for index in group.samples {
      if let part = SamplePart(samples[index]) {
        own.append((index, part))
      } else {
        try refuse(samples[index])
      }
    }
    let parts = SamplePart.merged(own.map(\.part))
    if frames.count == 0, own.contains(where: { hasEarlyLoop(samples[$0.sample], in: parts[0]) }) {
      appendSilence(2 * Self.silence)
    }
    var places: [Int] = []
    for (number, part) in parts.enumerated() {
      let endsFont = isLast && number == parts.count - 1 && group.data.isChunk
      places.append(append(part, of: group.data, endsFont: endsFont))
    }
    for (index, part) in own {
      let number = SamplePart.last(of: parts, startingBy: part.start)
      let place = places[number] + part.start - parts[number].start
      starts[index] = part.hasFrames ? place / 2 : place
    }
  }

  /// Appends a part and returns its position.
  private mutating func append(
    _ part: SamplePart, of data: SoundFontDocument.SampleData, endsFont: Bool
  ) -> Int {
    // Frames stay at even positions.
    if part.hasFrames, (frames.count - part.start) % 2 != 0 { frames.append(zeros: 1) }
    let place = frames.count
    let end = min(part.end, data.bytes.count)
    frames.append(data.bytes.part(part.start..<end))
    guard part.hasFrames else { return place }
    if let low = data.lowBytes {
      let first = (part.start + 1) / 2
      padLowBytes(to: first + (place - part.start) / 2)
      lowBytes?.append(low.part(first..<max(first, end / 2)))
    }
    if !endsFont { appendSilence(part.end - data.bytes.count) }
    return place
  }

  /// True if a loop starts before its sample, and the sample is at the start of a part.
  ///
  /// At the start of the file such a loop would have a negative position.
  private func hasEarlyLoop(_ sample: SoundFontDocument.Sample, in part: SamplePart) -> Bool {
    !sample.isCompressed && 2 * sample.start == part.start
      && min(sample.loopStart, sample.loopEnd) < 0
  }

  /// Throws an error if a new sample exceeds its data.
  private func refuse(_ sample: SoundFontDocument.Sample) throws(UnwritableSoundFont) {
    guard !sample.data.isChunk, !sample.isInROM, sample.start != sample.end else { return }
    let count = sample.isCompressed ? sample.data.bytes.count : sample.data.frameCount
    throw UnwritableSoundFont(
      "sample '\(sample.name.text)' is at \(sample.start)…\(sample.end), but its data ends at "
        + "\(count)")
  }
}
