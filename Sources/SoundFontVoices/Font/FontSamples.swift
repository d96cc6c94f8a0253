// SPDX-License-Identifier: Apache-2.0
internal import AudioFiles
internal import FileNames
internal import Glibc
internal import SoundFontFiles

/// The samples of all fonts, in one range of addresses, each read when it is asked for.
///
/// They are copied from the files, not mapped: who cuts a file short then silences a sample, where
/// a mapped one would end the process, and what is not read takes no memory. Where a font has frames of
/// 24 bits, their lower eight lie apart, so that nobody else has to read them.
@safe
struct FontSamples: ~Copyable {
  /// The most frames there can be: each has a number of 31 bits, and so have those close behind.
  static let limit = Int(Int32.max) - 65_536
  /// Silent frames before the first sample and behind each.
  static let gap = 8

  /// A font's file, open as long as its samples may be read.
  struct File {
    let path: String
    let descriptor: Int32
    /// Where its sample data lies.
    let data: Range<Int>
    /// Where the lower bytes of its frames lie; nil where they have 16 bits.
    let lowBytes: Range<Int>?
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
  private let files: [File]

  /// Takes addresses for samples that have their places, and the files over; nothing is read yet.
  init(
    _ samples: [FontSample], frameCount: Int, files: [File]
  ) throws(SoundFontVoicesError) {
    let hasLowBytes = files.contains { $0.lowBytes != nil }
    let wordsLength = (Self.gap + frameCount) * MemoryLayout<Int16>.stride
    byteCount = wordsLength + (hasLowBytes ? Self.gap + frameCount : 0)
    let memory = unsafe mmap(
      nil, byteCount, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0)
    guard let memory = unsafe memory, unsafe memory != MAP_FAILED else {
      let code = errno
      for file in files { close(file.descriptor) }
      throw .noMemory(byteCount: byteCount, code: code)
    }
    unsafe self.memory = memory
    unsafe first = memory.assumingMemoryBound(to: Int16.self) + Self.gap
    unsafe firstLowByte =
      hasLowBytes
      ? (memory + wordsLength).assumingMemoryBound(to: UInt8.self) + Self.gap : nil
    self.samples = samples
    noiseFloors = Array(repeating: nil, count: samples.count)
    self.files = files
  }

  deinit {
    unsafe _ = munmap(memory, byteCount)
    for file in files { close(file.descriptor) }
  }

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
    let file = files[sample.layer]
    let place = file.data.lowerBound + sample.stored.lowerBound * MemoryLayout<Int16>.stride
    unsafe file.read(
      first + sample.start, sample.stored.count * MemoryLayout<Int16>.stride, at: place)
    if let lowBytes = file.lowBytes, let firstLowByte = unsafe firstLowByte {
      unsafe file.read(
        firstLowByte + sample.start, sample.stored.count,
        at: lowBytes.lowerBound + sample.stored.lowerBound)
    }
  }

  /// Decodes a sample; false if it stays silent, as its stream is damaged or shorter than it claims.
  private func decode(_ sample: FontSample) -> Bool {
    let file = files[sample.layer]
    let bytes = file.bytes(
      file.data.lowerBound + sample.stored.lowerBound, count: sample.stored.count)
    let frames = unsafe UnsafeMutableBufferPointer(
      start: first + sample.start, count: sample.frameCount)
    let count = unsafe EncodedSample(bytes).decode(into: frames)
    guard count < sample.frameCount else { return true }
    // Only what was decoded: the rest was never written and takes no memory.
    unsafe frames.prefix(count).update(repeating: 0)
    return false
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

extension FontSamples.File {
  /// Opens a font's file again.
  ///
  /// - Throws: `SoundFontVoicesError.changed` where the sample data is not where its tables say.
  init(_ path: String, _ tables: SoundFontTables) throws(SoundFontVoicesError) {
    let descriptor = path.withSystemPath {
      unsafe open($0, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    }
    guard descriptor >= 0 else { throw .cannotOpen(path: path, code: errno) }
    self.init(
      path: path, descriptor: descriptor, data: tables.sampleData,
      lowBytes: tables.sampleLowBytes)
    var status = stat()
    var head = Array("smpl".utf8)
    for shift in stride(from: 0, to: 32, by: 8) {
      head.append(UInt8(truncatingIfNeeded: data.count >> shift))
    }
    guard unsafe fstat(descriptor, &status) == 0, Int(status.st_size) >= data.upperBound,
      bytes(data.lowerBound - head.count, count: head.count) == head
    else {
      close(descriptor)
      throw .changed(path: path)
    }
  }

  /// The bytes from a place on, fewer where the file ends or fails before.
  func bytes(_ place: Int, count: Int) -> [UInt8] {
    unsafe [UInt8](unsafeUninitializedCapacity: count) { buffer, done in
      done = unsafe buffer.baseAddress.map { unsafe read($0, count, at: place) } ?? 0
    }
  }

  /// Reads bytes from a place on; returns how many there were.
  @discardableResult
  func read(_ bytes: UnsafeMutableRawPointer, _ count: Int, at place: Int) -> Int {
    var done = 0
    while done < count {
      let step = unsafe pread(descriptor, bytes + done, count - done, place + done)
      if step < 0 && errno == EINTR { continue }
      guard step > 0 else { break }
      done += step
    }
    return done
  }
}
