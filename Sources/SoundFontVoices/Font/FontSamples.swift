// SPDX-License-Identifier: Apache-2.0
internal import AudioFiles
internal import Glibc
internal import SoundFontFiles

/// The samples of all fonts, in one range of addresses, each read when it is asked for.
///
/// They are copied from the files, not mapped: shortening a file then silences a sample, where
/// a mapped one would end the process, and what is not read takes no memory. Where a font has frames of
/// 24 bits, their lower eight lie apart, so that nobody else has to read them.
@safe
struct FontSamples: ~Copyable {
  /// The most frames there can be: each has a number of 31 bits, and so have those close behind.
  static let limit = Int(Int32.max) - 65_536
  /// Silent frames before the first sample and behind each.
  static let gap = 8

  /// The sample data of a font.
  struct Source {
    /// The frames, or the bytes of compressed samples.
    let data: FontBytes
    /// The lower bytes of the frames; nil where they have 16 bits.
    let lowBytes: FontBytes?
  }

  /// The frame that has number 0.
  let first: UnsafeMutablePointer<Int16>
  /// The lower byte of the frame that has number 0; nil where no font has frames of 24 bits.
  let firstLowByte: UnsafeMutablePointer<UInt8>?
  /// The frames, and behind them the lower bytes, where there are such.
  private let memory: UnsafeMutableRawPointer
  private let byteCount: Int
  private let samples: [FontSample]
  /// Those of the samples that are in memory.
  private var noiseFloors: [Float?]
  private let sources: [Source]

  /// Takes addresses for samples that have their places; nothing is read yet.
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

  /// Brings a sample into memory, where it is not; returns its noise floor.
  ///
  /// One that cannot be read is silent.
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

  /// Decodes a sample; false if it stays silent.
  private func decode(_ sample: FontSample) -> Bool {
    let bytes = sources[sample.layer].bytes(sample.stored)
    let frames = unsafe UnsafeMutableBufferPointer(
      start: first + sample.start, count: sample.frameCount)
    return unsafe EncodedSample(bytes).decode(into: frames)
  }

  /// The amplitude at which what a loop repeats falls below 2·10⁻⁷ of full scale, FluidSynth's
  /// threshold; of silence it is that of the least step of 24 bits.
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
  /// - Throws: `SoundFontVoicesError.changed` if the data is not where the tables say.
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

  /// The bytes of a range, fewer if the file was shortened or cannot be read.
  func bytes(_ range: Range<Int>) -> [UInt8] {
    unsafe [UInt8](unsafeUninitializedCapacity: range.count) { buffer, done in
      done = unsafe data.read(
        into: UnsafeMutableRawBufferPointer(start: buffer.baseAddress, count: range.count),
        at: range.lowerBound)
    }
  }
}
