// SPDX-License-Identifier: Apache-2.0
internal import AudioFiles
internal import Glibc
internal import SoundFontFiles

/// The samples of all fonts, in one range of addresses.
///
/// Each sample is read on demand.
///
/// Samples are copied from files, not mapped: if a file is shortened, a sample becomes silent,
/// whereas a mapped file would end the process. Samples that are not read do not use memory. If a
/// font has 24-bit frames, their lower eight bits are stored separately, so that other fonts are
/// not affected.
@safe
struct FontSamples: ~Copyable {
  /// The maximum number of frames: each frame, and those shortly after it, has a 31-bit number.
  static let limit = Int(Int32.max) - 65_536
  /// The number of silent frames before the first sample and after each sample.
  static let gap = 8

  /// The sample data of a font.
  struct Source {
    /// The frames, or the bytes of compressed samples.
    let data: FontBytes
    /// The lower bytes of the frames; nil for 16-bit frames.
    let lowBytes: FontBytes?
  }

  /// The frame with number 0.
  let first: UnsafeMutablePointer<Int16>
  /// The lower byte of the frame with number 0; nil if fonts do not have 24-bit frames.
  let firstLowByte: UnsafeMutablePointer<UInt8>?
  /// The frames, followed by the lower bytes if there are any.
  private let memory: UnsafeMutableRawPointer
  private let byteCount: Int
  private let samples: [FontSample]
  /// The noise floors of the samples that are in memory.
  private var noiseFloors: [Float?]
  private let sources: [Source]

  /// Reserves addresses for samples whose positions are set.
  ///
  /// Samples are not read yet.
  init(
    _ samples: [FontSample], frameCount: Int, sources: [Source]
  ) throws(SoundFontVoicesError) {
    let hasLowBytes = sources.contains { $0.lowBytes != nil }
    let wordsLength = (Self.gap + frameCount) * MemoryLayout<Int16>.stride
    byteCount = wordsLength + (hasLowBytes ? Self.gap + frameCount : 0)
    let memory = unsafe mmap(
      nil, byteCount, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0)
    guard let memory = unsafe memory, unsafe memory != MAP_FAILED else {
      throw .noMemory(byteCount: byteCount, code: errno)
    }
    unsafe self.memory = memory
    unsafe first = memory.assumingMemoryBound(to: Int16.self) + Self.gap
    unsafe firstLowByte =
      hasLowBytes
      ? (memory + wordsLength).assumingMemoryBound(to: UInt8.self) + Self.gap : nil
    self.samples = samples
    noiseFloors = Array(repeating: nil, count: samples.count)
    self.sources = sources
  }

  deinit { unsafe _ = munmap(memory, byteCount) }

  /// Reads a sample into memory if necessary; returns its noise floor.
  ///
  /// A sample that cannot be read is silent.
  mutating func load(_ index: Int) -> Float {
    if let noiseFloor = noiseFloors[index] { return noiseFloor }
    let sample = samples[index]
    let isSilent: Bool
    if sample.isCompressed {
      isSilent = !decode(sample)
    } else {
      read(sample)
      isSilent = false
    }
    let noiseFloor = isSilent ? Self.noiseFloor(peak: 0) : noiseFloor(of: sample)
    noiseFloors[index] = noiseFloor
    return noiseFloor
  }

  private func read(_ sample: FontSample) {
    let source = sources[sample.layer]
    let size = MemoryLayout<Int16>.stride
    unsafe source.data.read(
      into: UnsafeMutableRawBufferPointer(
        start: first + sample.start, count: sample.stored.count * size),
      at: sample.stored.lowerBound * size)
    if let lowBytes = source.lowBytes, let firstLowByte = unsafe firstLowByte {
      unsafe lowBytes.read(
        into: UnsafeMutableRawBufferPointer(
          start: firstLowByte + sample.start, count: sample.stored.count),
        at: sample.stored.lowerBound)
    }
  }

  /// Decodes a sample; returns false if it remains silent.
  private func decode(_ sample: FontSample) -> Bool {
    let bytes = sources[sample.layer].bytes(sample.stored)
    let frames = unsafe UnsafeMutableBufferPointer(
      start: first + sample.start, count: sample.frameCount)
    return unsafe EncodedSample(bytes).decode(into: frames)
  }

  /// The amplitude at which the loop falls below 2·10⁻⁷ of full scale, FluidSynth's threshold.
  ///
  /// For silence, that of the smallest 24-bit step.
  private func noiseFloor(of sample: FontSample) -> Float {
    var (least, greatest) = (0, 0)
    let start = sample.start + sample.loop.lowerBound
    for place in start..<start + sample.loop.count {
      let lowByte = unsafe firstLowByte.map { unsafe Int($0[place]) } ?? 0
      let value = unsafe Int(first[place]) << 8 | lowByte
      least = min(least, value)
      greatest = max(greatest, value)
    }
    return Self.noiseFloor(peak: max(greatest, -least))
  }

  private static func noiseFloor(peak: Int) -> Float {
    Float(2e-7 * 8_388_608 / Double(max(peak, 1)))
  }
}

extension FontSamples.Source {
  /// Finds the sample data of a font.
  ///
  /// - Throws: `SoundFontVoicesError.changed` if the data is not at the position in the tables.
  init(_ layer: PatchBank.Layer) throws(SoundFontVoicesError) {
    let place = layer.tables.sampleData
    var head = Array("smpl".utf8)
    for shift in stride(from: 0, to: 32, by: 8) {
      head.append(UInt8(truncatingIfNeeded: place.count >> shift))
    }
    let whole = Self(data: layer.bytes, lowBytes: nil)
    guard layer.bytes.count >= place.upperBound,
      whole.bytes(max(0, place.lowerBound - head.count)..<place.lowerBound) == head
    else { throw .changed(path: layer.path) }
    data = layer.bytes.part(place)
    lowBytes = layer.tables.sampleLowBytes.map { layer.bytes.part($0) }
  }

  /// The bytes of a range; fewer if the file was shortened or cannot be read.
  func bytes(_ range: Range<Int>) -> [UInt8] {
    unsafe [UInt8](unsafeUninitializedCapacity: range.count) { buffer, done in
      done = unsafe data.read(
        into: UnsafeMutableRawBufferPointer(start: buffer.baseAddress, count: range.count),
        at: range.lowerBound)
    }
  }
}
